"""What tests of lessons share: no page of a lesson changes, so that one application serves all of them."""

import pytest


@pytest.fixture(scope="session")
def staff_app(constant_app):
    """The application whose pages are read."""
    return constant_app
