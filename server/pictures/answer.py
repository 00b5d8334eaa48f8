"""A picture as an answer: bytes that never change under their name, which is their SHA-256."""

from __future__ import annotations

from flask import Response, make_response, request

YEAR = 365 * 24 * 60 * 60


def picture_answer(data: bytes, kind: str, name: str, public: bool) -> Response:
    """Answer a picture.

    Parameters
    ----------
    data : bytes
    kind : str
        The end of its MIME type.
    name : str
        Its SHA-256, under which it is asked for.
    public : bool
        Whether anybody may keep it, for as long as they like; else only the browser, which asks each time.
    """
    response = make_response(data)
    response.mimetype = f"image/{kind}"
    response.set_etag(name)
    if public:
        response.cache_control.public = True
        response.cache_control.immutable = True
        response.cache_control.max_age = YEAR
    else:
        response.cache_control.no_cache = True
        response.cache_control.private = True
    response.make_conditional(request)
    return response
