"""The rules of an application, those of its late pages among them."""


def rules_of(app):
    """List every rule, once a request that no early page answers has brought in the late ones."""
    assert app.test_client().get("/nowhere").status_code == 404
    return [*app.url_map.iter_rules()]
