"""A learner in JupyterLab, as the tests play one: opens, reads, writes and runs, by mouse and by keyboard."""

import json
import re

from playwright.sync_api import expect

RUN = re.compile(r"\[\d+\]:")
PATIENCE = 60_000  # milliseconds, for what a kernel has to compute first


class Learner:
    """One browser page with JupyterLab in it.

    Parameters
    ----------
    page : playwright.sync_api.Page
    course : Path
        Folder of the course.
    """

    def __init__(self, page, course):
        self.page, self.course = page, course
        page.set_default_timeout(PATIENCE)

    @property
    def panel(self):
        """The notebook in front."""
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")

    def open(self, address):
        """Go to an address and wait for its notebook."""
        self.page.goto(address)
        self.wait_for_kernel()

    def reload(self):
        self.page.reload()
        self.wait_for_kernel()

    def wait_for_kernel(self):
        """Wait until the notebook in front has a kernel that is idle."""
        expect(self.panel).to_be_visible(timeout=PATIENCE)
        expect(self.panel.locator(".jp-Notebook-ExecutionIndicator")).to_have_attribute(
            "data-status", "idle", timeout=PATIENCE
        )

    def follow(self, link):
        """Click on a link of the notebook in front, which opens another one."""
        link = self.panel.get_by_role("link", name=link).first
        name = link.get_attribute("href").split("?")[0].rpartition("/")[2]
        link.click()
        expect(self.tab).to_have_attribute("title", re.compile(rf"^Name: {re.escape(name)}$", re.M))
        self.wait_for_kernel()

    @property
    def tab(self):
        """The tab of the notebook in front."""
        return self.page.locator(".lm-DockPanel-tabBar .jp-mod-current").first

    @property
    def path(self):
        """The file of the notebook in front."""
        title = self.tab.get_attribute("title")
        return self.course / re.search(r"^Path: (.*\.ipynb)$", title, re.M)[1]

    def saved_cells(self):
        """Return the cells of its file."""
        return json.loads(self.path.read_text(encoding="utf-8"))["cells"]

    def cell(self, cell_id):
        """The cell of the notebook in front that has an id in its file."""
        index = [cell["id"] for cell in self.saved_cells()].index(cell_id)
        return self.panel.locator(f'.jp-Cell[data-windowed-list-index="{index}"]')

    def write(self, cell_id, source):
        """Replace the code of a cell."""
        self.cell(cell_id).locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(source)

    def run(self, cell_id):
        """Run a cell with Shift+Enter, and return its output."""
        cell = self.cell(cell_id)
        prompt = cell.locator(".jp-InputArea-prompt")
        before = prompt.text_content()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")
        expect(prompt).not_to_have_text(before)
        expect(prompt).to_have_text(RUN, timeout=PATIENCE)
        return cell.locator(".jp-Cell-outputArea")

    def write_and_check(self, exercise, source):
        """Write a function, run it and its check, and return the report."""
        self.write(exercise, source)
        self.run(exercise)
        return self.run(f"check-{exercise}")

    def menu(self, *path):
        """Choose from JupyterLab's menus."""
        self.page.get_by_role("menuitem", name=path[0], exact=True).click()
        for item in path[1:]:
            self.page.locator(".lm-Menu-itemLabel").get_by_text(item, exact=True).click()

    def restart_and_run_all(self):
        """Choose this from the menu, and wait for the last cell."""
        self.menu("Kernel", "Restart Kernel and Run All Cells…")
        self.page.get_by_role("button", name="Confirm Kernel Restart").click()
        count = sum(cell["cell_type"] == "code" for cell in self.saved_cells())
        last = self.panel.locator(".jp-CodeCell .jp-InputArea-prompt").last
        expect(last).to_have_text(f"[{count}]:", timeout=2 * PATIENCE)

    def save(self):
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("ControlOrMeta+s")
        expect(self.page.locator(".jp-Document.jp-mod-dirty, .lm-TabBar-tab.jp-mod-dirty")).to_have_count(0)
