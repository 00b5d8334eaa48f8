"""A page of the editor, as its script sends requests: the document of a draft, and what was changed in it."""

from page_changes import changes

from server.store import drafts, surveys
from survey.draft import document_of, unit_hash, units

PAGE, OTHER = "0" * 16, "1" * 16


def replaced(storage, slug, table, name="eve"):
    """Let the tables of a survey file take the place of a stored draft."""
    survey = storage.read(surveys.by_slug, slug)
    document = document_of(table, survey.document)
    return storage.write(drafts.replace, survey.id, survey.tag, document, name)


def words(tree):
    """Return the text of a tree that the script draws."""
    return "".join(node if isinstance(node, str) else words(node[2]) for node in tree)


def marks(tree, name):
    """List the values of an attribute in a tree that the script draws."""
    nodes = [node for node in tree if not isinstance(node, str)]
    return [
        value
        for _, attributes, inside in nodes
        for value in [attributes.get(name), *marks(inside, name)]
        if value
    ]


class Editor:
    """A page of the editor, as its script sends requests.

    Attributes
    ----------
    document : dict
        The draft as the page knows it to be stored.
    """

    def __init__(self, browser, slug="health", page=PAGE):
        self.browser, self.client, self.page, self.number = browser, browser.client, page, 0
        self.address = f"/admin/surveys/{slug}"
        self.token = browser.token("/admin/new")
        self.take(self.load().json)

    def take(self, loaded):
        """Go on from what the server has stored."""
        self.hash, self.document = loaded["hash"], loaded["document"]
        self.address = f"/admin/surveys/{loaded['slug']}"

    def load(self):
        return self.client.get(f"{self.address}/draft", headers={"Accept-Language": "en"})

    def post(self, what, body, **headers):
        sent = {"X-CSRFToken": self.token, "Accept-Language": "en"} | headers
        return self.client.post(f"{self.address}/{what}", json=body, headers=sent)

    def change(self, unit, now, **more):
        return {"unit": unit, "was": unit_hash(units(self.document).get(unit)), "now": now, **more}

    def send(self, *sent, number=None, **more):
        """Send changes, with a number of their own or another."""
        self.number = number or self.number + 1
        body = {"page": self.page, "number": self.number, "seen": self.hash, "changes": list(sent)}
        return self.post("draft", body | more)

    def send_all(self, document):
        """Send all in which a draft differs as it stands in the page now."""
        return self.send(*(vars(change) for change in changes(self.document, document)))

    def write(self, document):
        """Save a draft as it stands in the page now; the answer says what is wrong with it."""
        answer = self.send_all(document)
        assert answer.status_code == 200, answer.text
        self.take({"document": document} | answer.json)
        return answer.json | self.problems()

    def problems(self):
        """Return what is wrong with the draft as it is stored, and what it lacks."""
        return self.preview(changed=[], problems=True)

    def fill(self, **tables):
        """Save what a survey file with these tables says besides what the draft says already."""
        return self.write(self.document | document_of({"candor": 3, **tables}, self.document))

    def preview(self, document=None, opened=None, **more):
        """Ask for the figures of a draft as it stands in the page, and all of the question that is open."""
        answer = self.post("preview", {"document": document or self.document, "open": opened, **more})
        assert answer.status_code == 200, answer.text
        return answer.json

    def page_text(self, query=""):
        """Return the page that the script works on, or one that its draft leads to."""
        return self.browser.get(self.address + query).text
