"""Firefox as a browser of Selenium, by the protocol that Firefox speaks itself.

Debian has no geckodriver, which only hands the same commands on. A message is the length of a text, a colon
and the text: a list of 0, a number, a name and parameters. The answer is a list of 1, that number, an error
and a result (firefox-source-docs.mozilla.org, Marionette, Protocol).
"""

from __future__ import annotations

import json
import socket
from typing import Any

from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.remote_connection import RemoteConnection

NAMES = {
    Command.NEW_SESSION: "NewSession",
    Command.GET: "Navigate",
    Command.GET_CURRENT_URL: "GetCurrentURL",
    Command.FIND_ELEMENT: "FindElement",
    Command.FIND_ELEMENTS: "FindElements",
    Command.IS_ELEMENT_SELECTED: "IsElementSelected",
    Command.CLICK_ELEMENT: "ElementClick",
    Command.CLEAR_ELEMENT: "ElementClear",
    Command.SEND_KEYS_TO_ELEMENT: "ElementSendKeys",
    Command.GET_ELEMENT_RECT: "GetElementRect",
    Command.GET_ELEMENT_TEXT: "GetElementText",
    Command.GET_ELEMENT_ATTRIBUTE: "GetElementAttribute",
    Command.W3C_EXECUTE_SCRIPT: "ExecuteScript",
    Command.W3C_EXECUTE_SCRIPT_ASYNC: "ExecuteAsyncScript",
    Command.SET_TIMEOUTS: "SetTimeouts",
    Command.SCREENSHOT: "TakeScreenshot",
}
"""Selenium's names of commands -> Firefox's."""


class Marionette(RemoteConnection):
    """Sends the commands of Selenium to a Firefox that listens at a port."""

    def __init__(self, port: int, patience: float) -> None:
        super().__init__(client_config=ClientConfig(f"http://127.0.0.1:{port}"))
        self.socket = socket.create_connection(("127.0.0.1", port), patience)
        self.stream = self.socket.makefile("rwb")
        self.sent = 0
        self.read()  # its greeting

    def execute(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a command, and return its result as a driver would."""
        self.sent += 1
        wanted = {key: value for key, value in params.items() if key != "sessionId"}
        text = json.dumps([0, self.sent, f"WebDriver:{NAMES[command]}", wanted]).encode()
        self.stream.write(b"%d:%s" % (len(text), text))
        self.stream.flush()
        _, number, error, result = self.read()
        assert number == self.sent
        if error:
            return {"status": error["error"], "value": error, "message": error["message"]}
        is_value = isinstance(result, dict) and set(result) == {"value"}
        return {"value": result["value"] if is_value else result}

    def read(self) -> Any:
        """Read one message."""
        length = b""
        while (digit := self.stream.read(1)) != b":":
            length += digit
        return json.loads(self.stream.read(int(length)))

    def close(self) -> None:
        """Hang up."""
        self.stream.close()
        self.socket.close()
