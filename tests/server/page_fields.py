"""What a browser sends of a page's form, and what that is as the fields of a whole draft."""

from html.parser import HTMLParser

from werkzeug.datastructures import MultiDict

from server.forms.folded import unfolded


class Fields(HTMLParser):
    """What a browser sends of the form with an id, without its buttons."""

    def __init__(self, page, form="editor"):
        super().__init__()
        self.form, self.inside, self.area, self.choice, self.found = form, False, None, None, []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.inside = given.get("id") == self.form
        if not self.inside and given.get("form") != self.form:
            return
        if tag == "input" and (given.get("type") not in ("checkbox", "radio") or "checked" in given):
            self.found.append((given["name"], given.get("value", "")))
        if tag == "textarea":
            self.area = [given["name"], ""]
        if tag == "select":
            self.choice = [given["name"], None]
        if tag == "option" and (self.choice[1] is None or "selected" in given):
            self.choice[1] = given["value"]

    def handle_endtag(self, tag):
        if tag == "form":
            self.inside = False
        if tag == "textarea" and self.area:
            self.found.append((self.area[0], self.area[1].removeprefix("\n")))
            self.area = None
        if tag == "select" and self.choice:
            self.found.append(tuple(self.choice))
            self.choice = None

    def handle_data(self, data):
        if self.area:
            self.area[1] += data


def sent(page, form="editor"):
    """Name -> values of what the form sends, as it stands on the page."""
    fields = {}
    for name, value in Fields(page, form).found:
        if name != "csrf_token":
            fields.setdefault(name, []).append(value)
    return fields


def whole(page):
    """Every field of the draft, those in folded panels too: name -> value."""
    return unfolded(MultiDict(sent(page)))
