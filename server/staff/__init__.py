"""Staff: their accounts, sessions and rights."""

from __future__ import annotations

from server.runtime.hidden_libraries import hidden

with hidden("babel"):  # Flask-WTF would translate with it
    import flask_wtf as flask_wtf
