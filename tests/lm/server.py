"""A model behind an address on this machine: an OpenAI-compatible server that says what it is told."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Server:
    """What it says, in turn (status and body; the last one again), and what it was asked."""

    says: list[tuple[int, str]] = field(default_factory=lambda: [(200, '{"answer": "42"}')])
    asked: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)
    url: str = ""
    hang: float = 0.0


@contextmanager
def serving(*says: tuple[int, str]) -> Iterator[Server]:
    state = Server(list(says)) if says else Server()
    lock = threading.Lock()
    gone = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with lock:
                status, text = state.says[min(len(state.asked), len(state.says) - 1)]
                state.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            if state.hang:
                gone.wait(state.hang)
            answer: dict[str, Any] = {"error": {"message": text, "type": "x", "code": "x"}} if status != 200 else {
                "id": "1", "object": "chat.completion", "created": 0, "model": body["model"],
                "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
                "usage": {"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8}}
            sent = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        gone.set()
        server.shutdown()
        server.server_close()
