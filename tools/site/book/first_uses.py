"""The first use of a term on each page of a unit leads to the glossary."""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

GLOSSARY = "docs/glossary"


def setup(app):
    """Add the links to all units."""
    app.add_post_transform(FirstUses)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class FirstUses(SphinxPostTransform):
    """Look for the headings of the glossary in the paragraphs of a unit."""

    default_priority = 800

    def run(self):
        if not re.match(r"\d\d_", self.env.docname):
            return
        left = terms(self.env)
        for text in list(self.document.findall(nodes.Text)):
            if left and _is_prose(text):
                self._link(text, left)

    def _link(self, text, left):
        uses = {term: re.search(_forms(term), text.astext(), re.IGNORECASE) for term in left}
        uses = {term: found for term, found in uses.items() if found}
        if not uses:
            return
        term, found = min(uses.items(), key=lambda use: (use[1].start(), -len(use[0])))
        before, used, after = text[: found.start()], found[0], text[found.end() :]
        address = self.app.builder.get_relative_uri(self.env.docname, GLOSSARY)
        link = nodes.reference("", used, internal=True, refuri=f"{address}#{left.pop(term)}", classes=["term"])
        rest = nodes.Text(after)
        text.parent.replace(text, [nodes.Text(before), link, rest])
        self._link(rest, left)


def terms(env):
    """Return the anchors of the terms of the glossary, by their names."""
    page, *sections = env.get_doctree(GLOSSARY).findall(nodes.section)
    in_groups = (section for section in sections if section.parent is not page)
    return {section[0].astext(): section["ids"][0] for section in in_groups}


def _forms(term):
    """Return a pattern for a term in the singular and in the plural."""
    stem = f"{re.escape(term[:-1])}(y|ies)" if re.search("[^aeiou]y$", term) else f"{re.escape(term)}s?"
    return rf"(?<![\w-]){stem}(?![\w-])"


def _is_prose(text):
    return isinstance(text.parent, nodes.paragraph)
