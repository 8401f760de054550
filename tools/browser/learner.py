"""A learner in JupyterLab, as the tests play one: opens, reads, writes and runs."""

import json
import re
import time

try:
    from playwright.sync_api import expect
except ImportError:  # then there is no browser for a learner
    expect = None

PATH = re.compile(r"^Path: (.*\.ipynb)$", re.M)
NUMBER = re.compile(r"\[\d+\]:")
PATIENCE = 60_000  # milliseconds, for what a kernel has to do first
IN_FRONT = ".jp-NotebookPanel:not(.lm-mod-hidden)"


def run_cell(page, code, instead=None):
    """Run the first cell with a piece of code in the notebook in front, without waiting for its end, and return it.

    Parameters
    ----------
    page : playwright.sync_api.Page
    code : str
        What the cell is found by.
    instead : str, optional
        What is written into the cell before it is run.

    Returns
    -------
    playwright.sync_api.Locator
    """
    cell = page.locator(f"{IN_FRONT} .jp-CodeCell", has_text=code).first
    cell.locator(".cm-content").click()
    if instead:
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(instead)
    page.keyboard.press("Control+Enter")
    return cell


class Learner:
    """One page of a browser with JupyterLab in it.

    Parameters
    ----------
    page : playwright.sync_api.Page
    course : Path
        Folder of the course.
    address : str
        Of the course's server.
    """

    def __init__(self, page, course, address):
        self.page, self.course, self.address = page, course, address
        self.panel = page.locator(IN_FRONT)
        self.tab = page.locator(".lm-DockPanel-tabBar .jp-mod-current").first
        page.set_default_timeout(PATIENCE)
        # JupyterLab takes its own save for somebody else's where it has to wait half a second for the answer
        page.add_locator_handler(
            page.get_by_role("dialog").filter(has_text="has changed on disk"),
            lambda dialog: dialog.get_by_role("button", name="Overwrite").click(),
        )
        expect.set_options(timeout=PATIENCE)

    def open_course(self):
        """Go where `course lab` sends the browser, and wait for the notebook."""
        self.page.goto(self.address)
        self.wait()

    def reload(self):
        """Reload the page, and wait for the notebook in front."""
        self.page.reload()
        self.wait()

    def wait(self):
        """Wait until the notebook in front shows its first cells and its kernel has nothing to do."""
        expect(self.tab).to_have_attribute("title", PATH)
        expect(self.panel.locator(".jp-MarkdownOutput").first).to_be_visible()
        expect(self.page.locator(".jp-StatusBar-Widget").get_by_text("| Idle")).to_be_visible()

    def follow(self, link):
        """Click on a link in the notebook in front, and wait for the notebook that it opens."""
        link = self.panel.get_by_role("link", name=link).first
        name = link.get_attribute("href").split("?")[0].rpartition("/")[2]
        link.click()
        self.wait_for_tab(name)

    def wait_for_tab(self, name):
        """Wait until the notebook of this file name is in front."""
        expect(self.tab).to_have_attribute("title", re.compile(rf"^Name: {re.escape(name)}$", re.M))
        self.wait()

    def go_to(self, name):
        """Bring an open notebook to the front by its tab."""
        self.page.locator(".lm-DockPanel-tabBar").get_by_role("tab", name=re.compile(f"^{name}")).click()
        expect(self.tab).to_have_attribute("title", re.compile(f"^Name: {name}"))

    @property
    def path(self):
        """The file of the notebook in front."""
        return self.course / PATH.search(self.tab.get_attribute("title"))[1]

    def saved_cells(self):
        """Return the cells of the notebook in front as they are in its file, which may be about to be written."""
        end = time.monotonic() + PATIENCE / 1000
        while True:
            try:
                return json.loads(self.path.read_text(encoding="utf-8"))["cells"]
            except json.JSONDecodeError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def cell(self, cell_id):
        """Return the cell with this id, of the notebook in front."""
        index = [cell["id"] for cell in self.saved_cells()].index(cell_id)
        return self.panel.locator(f'.jp-Cell[data-windowed-list-index="{index}"]')

    def output(self, cell_id):
        """Return the output of a cell."""
        return self.cell(cell_id).locator(".jp-Cell-outputArea")

    def write(self, cell_id, source):
        """Replace the code of a cell."""
        self.cell(cell_id).locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(source)

    def run(self, cell_id):
        """Run a cell with Shift+Enter, wait for its end, and return its output."""
        prompt = self.cell(cell_id).locator(".jp-InputArea-prompt")
        before = prompt.text_content()
        self.start(cell_id)
        expect(prompt).not_to_have_text(before)
        expect(prompt).to_have_text(NUMBER)
        return self.output(cell_id)

    def begin(self):
        """Run the first code cell, with the imports."""
        self.run(next(cell["id"] for cell in self.saved_cells() if cell["cell_type"] == "code"))

    def start(self, cell_id):
        """Run a cell, without waiting for its end."""
        self.cell(cell_id).locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")

    def answer(self, exercise, source):
        """Write a function, run it and its check, and return the report."""
        self.write(exercise, source)
        self.run(exercise)
        return self.run(f"check-{exercise}")

    def menu(self, name, *items):
        """Choose from JupyterLab's menus."""
        self.page.get_by_role("menuitem", name=name, exact=True).click()
        for item in items:
            self.page.locator(".lm-Menu-itemLabel").get_by_text(item, exact=True).click()

    def restart(self):
        """Restart the kernel, and wait for the new one."""
        self.menu("Kernel", "Restart Kernel…")
        self.page.get_by_role("button", name="Confirm Kernel Restart").click()
        self.wait()

    def restart_and_run_all(self):
        """Choose this from the menu, and wait for the last cell."""
        self.menu("Kernel", "Restart Kernel and Run All Cells…")
        self.page.get_by_role("button", name="Confirm Kernel Restart").click()
        count = sum(cell["cell_type"] == "code" for cell in self.saved_cells())
        last = self.panel.locator(".jp-CodeCell .jp-InputArea-prompt").last
        expect(last).to_have_text(f"[{count}]:", timeout=2 * PATIENCE)

    def save(self):
        """Save the notebook in front."""
        self.menu("File", "Save Notebook")
        expect(self.tab).not_to_have_class(re.compile("jp-mod-dirty"))

    def use_dark_theme(self):
        """Choose the dark theme, and wait until it is there."""
        self.menu("Settings", "Theme", "JupyterLab Dark")
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", "false")
