"""A provider of OpenID Connect for tests: `oidc-provider-mock`, whose word a test can change on its way."""

import base64
import json
import threading
import time
import warnings
from contextlib import contextmanager
from io import BytesIO
from urllib.parse import parse_qs, urlsplit

import requests
from authlib.deprecate import AuthlibDeprecationWarning
from joserfc import jwk, jwt
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

from server.store.staff import accounts, audit
from server.store.staff.audit import LineFilter

with warnings.catch_warnings():
    warnings.simplefilter("ignore", AuthlibDeprecationWarning)
    import oidc_provider_mock
    from authlib.oidc.core.grants import code as code_grant

ALGORITHM = "RS256"
BEGIN, BACK = "/login/with/uni", "/login/with/uni/back"
ROLES = {"admins": "admin", "methods": "editor", "staff": "researcher"}
HOURS = 4
OF_THE_MOCK = ("ignore::DeprecationWarning:authlib", "ignore:get_jwt_config")
"""Warnings at the mock's use of its library."""


def once(import_key):
    """Return an importer that remembers keys: the mock imports, and so checks, its own for each token."""
    imported = {}

    def import_once(table):
        if table["n"] not in imported:
            imported[table["n"]] = import_key(table)
        return imported[table["n"]]

    return import_once


code_grant.import_any_key = once(code_grant.import_any_key)


class Quiet(WSGIRequestHandler):
    def log(self, *_):
        """Write nothing."""


class IdentityProvider:
    """The mock as a WSGI application; what a test puts into `answers` is answered in its place.

    Once a test sets `change` or `key`, ID tokens are signed anew: with those claims, by that key.
    """

    def __init__(self):
        self.mock = oidc_provider_mock.app()
        self.answers, self.asked, self.forms = {}, [], []
        self.change, self.key, self.published = None, None, None
        self.any_key, self.broken = new_key("any"), Response("broken", 500)

    def __call__(self, environ, start_response):
        request = Request(environ)
        self.asked.append(request.path)
        if request.path in self.answers:
            answer = self.answers[request.path]
            answer = answer() if callable(answer) else answer
            return answer(environ, start_response)
        if request.path == "/jwks" and self.published is not None:
            keys = [key.as_dict(private=False) for key in self.published]
            return Response(json.dumps({"keys": keys}))(environ, start_response)
        if request.path == "/oauth2/token":
            body = request.get_data()
            environ["wsgi.input"] = BytesIO(body)
            self.forms.append(parse_qs(body.decode()))
            answer = Response.from_app(self.mock, environ)
            return self.signed(answer)(environ, start_response)
        return self.mock(environ, start_response)

    def signed(self, answer):
        """Sign the ID token of an answer anew, if a test asks for it."""
        if answer.status_code != 200 or (self.change is None and self.key is None):
            return answer
        tokens = json.loads(answer.get_data())
        payload = tokens["id_token"].split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        claims = {key: value for key, value in (claims | (self.change or {})).items() if value is not None}
        header = {"alg": ALGORITHM, "kid": self.key.kid}
        tokens["id_token"] = jwt.encode(header, claims, self.key, algorithms=[ALGORITHM])
        return Response(json.dumps(tokens), content_type="application/json")

    def use(self, key, published=None, **change):
        """Sign with a key of the test's, and publish it or others; change claims."""
        self.key, self.change = key, change
        self.published = [key] if published is None else published

    @contextmanager
    def running(self):
        server = make_server("localhost", 0, self, threaded=True, request_handler=Quiet)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        self.issuer = f"http://localhost:{server.server_port}"
        try:
            yield self
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def person(self, subject, **claims):
        """Add somebody, or change what is said of them."""
        requests.put(f"{self.issuer}/users/{subject}", json=claims, timeout=10).raise_for_status()

    def sign_in(self, address, subject):
        """Sign somebody in on the provider's page; return the way back, as path and query."""
        answer = requests.post(address, data={"sub": subject}, allow_redirects=False, timeout=10)
        back = urlsplit(answer.headers["Location"])
        return f"{back.path}?{back.query}"


def new_key(kid="new"):
    return jwk.RSAKey.generate_key(2048, parameters={"kid": kid, "use": "sig"})


def slowly(seconds):
    """Answer nothing for so long."""

    def answer():
        time.sleep(seconds)
        return Response("{}")

    return answer


def account(storage, name):
    return storage.read(accounts.by_name, name)


def deeds(storage):
    return [(line.who, line.what, line.about) for line in storage.read(audit.lines, LineFilter())]
