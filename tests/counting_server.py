"""A chat completions server in a thread that keeps every call with its headers, and counts tokens.

Its replies are made by a function, which gets the body of the call; a token is 4 characters.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

LETTERS = 4  # per token
Speak = Callable[[Mapping[str, Any]], str]


@dataclass
class CountingServer:
    """What the server is told, and what it has seen."""

    speak: Speak
    most: int = 1  # generations per call
    finish: str = "stop"
    usage: Mapping[str, Any] = field(default_factory=dict)  # further fields of the usage
    address: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    prompt_tokens: int = 0

    def completion(self, body: dict[str, Any], headers: Mapping[str, str]) -> dict[str, Any]:
        self.bodies.append(body)
        self.headers.append({name.lower(): value for name, value in headers.items()})
        count = min(self.most, body.get("n", 1))
        replies = [self.speak(body) for _ in range(count)]
        read = sum(len(message["content"]) for message in body["messages"]) // LETTERS
        written = sum(map(len, replies)) // LETTERS
        self.prompt_tokens += read
        choices = [
            {"message": {"role": "assistant", "content": text}, "finish_reason": self.finish}
            for text in replies
        ]
        usage = {"prompt_tokens": read, "completion_tokens": written, **self.usage}
        return {"model": body["model"], "choices": choices, "usage": usage}


@contextmanager
def counting_server(speak: Speak, **settings: Any) -> Iterator[CountingServer]:
    """A server that lives as long as the block."""
    server = CountingServer(speak, **settings)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # headers and body in one piece

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            body = json.loads(self.rfile.read(length))
            reply = json.dumps(server.completion(body, self.headers)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        server.address = f"http://127.0.0.1:{http.server_port}/v1"
        try:
            yield server
        finally:
            http.shutdown()
            thread.join(20)
