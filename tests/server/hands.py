"""Hands of an admin without scripts: they click what a page shows and fill its fields, and are counted."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import urljoin

VOID = {"input", "br", "img", "meta", "link", "hr"}


class Element:
    """A link, a button or a field, with what a click or a form needs of it."""

    def __init__(self, tag, attributes, form):
        self.tag, self.attributes, self.form, self.text = tag, attributes, form, ""

    def get(self, name, otherwise=None):
        return self.attributes.get(name, otherwise)

    @property
    def value(self):
        return self.text.removeprefix("\n") if self.tag == "textarea" else self.get("value", "")

    @property
    def sent(self):
        """Whether a form sends it without a click: buttons are sent by theirs, boxes if they are ticked."""
        if self.tag == "button" or not self.get("name") or "disabled" in self.attributes:
            return False
        return self.get("type") not in ("checkbox", "radio") or "checked" in self.attributes


class Page(HTMLParser):
    """What can be used on a page."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.forms, self.open, self.form = [], {}, [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "form":
            self.form = found.get("id") or f"form {len(self.forms)}"
            self.forms[self.form] = found
        elif tag in ("a", "button", "input", "textarea", "select"):
            self.elements.append(Element(tag, found, found.get("form") or self.form))
            if tag not in VOID:
                self.open.append(self.elements[-1])

    def handle_endtag(self, tag):
        if tag == "form":
            self.form = None
        elif self.open and self.open[-1].tag == tag:
            self.open.pop()

    def handle_data(self, data):
        for element in self.open:
            element.text += data


class Hands:
    """An admin on a page, from which each click leads on.

    Attributes
    ----------
    count : int
        Clicks, and fields filled, so far.
    """

    def __init__(self, admin, address):
        self.admin, self.count = admin, 0
        self.visit(address)

    def visit(self, address):
        self.show(self.admin.client.get(address, headers={"Accept-Language": "en"}), address)

    def show(self, answer, address):
        while answer.status_code == 302:
            address = urljoin(address, answer.location)
            answer = self.admin.client.get(address, headers={"Accept-Language": "en"})
        assert answer.status_code == 200, answer.text
        self.address, self.page = address, Page(answer.text)

    def find(self, tags, wanted):
        fitting = [element for element in self.page.elements if element.tag in tags and wanted(element)]
        assert fitting, [" ".join(each.text.split()) for each in self.page.elements if each.tag in tags]
        return fitting[0]

    def fill(self, name, text):
        """Fill a field that the page shows."""
        self.count += 1
        field = self.find(("input", "textarea"), lambda each: each.get("name") == name)
        assert "readonly" not in field.attributes
        assert field.get("type") != "hidden"
        field.text = field.attributes["value"] = text

    def tick(self, name, value):
        """Click a box: it is ticked, or no more."""
        self.count += 1
        box = self.find(("input",), lambda each: (each.get("name"), each.get("value")) == (name, value))
        assert box.get("type") == "checkbox"
        if box.attributes.pop("checked", self) is self:
            box.attributes["checked"] = ""

    def click(self, text):
        """Click a link or a button that begins with these words, and go where it leads."""
        self.count += 1
        chosen = self.find(("a", "button"), lambda each: " ".join(each.text.split()).startswith(text))
        assert "hidden" not in chosen.attributes
        if chosen.tag == "a":
            return self.visit(urljoin(self.address, chosen.get("href")))
        form = self.page.forms[chosen.form]
        fields = [each for each in self.page.elements if each.form == chosen.form and each.sent]
        data: dict[str, list[str]] = {}
        for field in fields:
            data.setdefault(field.get("name"), []).append(field.value)
        if chosen.get("name"):
            data[chosen.get("name")] = [chosen.get("value")]
        target = urljoin(self.address, form.get("action") or self.address)
        answer = self.admin.client.post(target, data=data, headers={"Accept-Language": "en"})
        return self.show(answer, target)
