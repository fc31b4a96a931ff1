"""An ASGI application that takes deliveries: mount it at the path of the webhook."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from .inbox import Inbox

_Message = MutableMapping[str, Any]

#: What the service posts is far below it.
_MOST_BYTES = 1_048_576


class AsgiReceiver:
    """Answers each delivery as the inbox decides, and 503 when its store cannot be used."""

    def __init__(self, inbox: Inbox[Any]) -> None:
        self._inbox = inbox

    async def __call__(
        self,
        scope: _Message,
        receive: Callable[[], Awaitable[_Message]],
        send: Callable[[_Message], Awaitable[None]],
    ) -> None:
        if scope["type"] == "lifespan":
            return await _live(receive, send)
        if scope["type"] != "http":
            raise ValueError(f"a webhook receiver does not speak {scope['type']}")
        status = await self._answer(scope, receive)
        allow = [(b"allow", b"POST")] if status == 405 else []
        await send({"type": "http.response.start", "status": status, "headers": allow})
        await send({"type": "http.response.body", "body": b""})

    async def _answer(self, scope: _Message, receive: Callable[[], Awaitable[_Message]]) -> int:
        if scope["method"] != "POST":
            return 405
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return 400
            body += message.get("body", b"")
            if len(body) > _MOST_BYTES:
                return 413
            if not message.get("more_body", False):
                break
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        try:
            # The store waits for its database, and the event loop must not.
            return await asyncio.to_thread(self._inbox.receive, bytes(body), headers)
        except Exception:
            return 503


async def _live(
    receive: Callable[[], Awaitable[_Message]], send: Callable[[_Message], Awaitable[None]]
) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
