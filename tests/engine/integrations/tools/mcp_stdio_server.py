"""A small MCP server on standard input and output, without a library so that it starts at once.

Speaks the handshake of 2025-06-18. Its argument names a file to which each start adds its pid.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

NUMBER, TEXT = {"type": "integer"}, {"type": "string"}
TOOLS: dict[str, dict[str, Any]] = {
    "add": {"a": NUMBER, "b": NUMBER},
    "environment": {"variable": TEXT},
    "pid": {},
    "die": {},
    "hang": {},
    "garbage": {},
    "huge": {"size": NUMBER},
    "learn": {},
}


def text(value: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": value}]}


def use(name: str, given: dict[str, Any]) -> dict[str, Any]:
    if name == "add":
        return {**text("a sum"), "structuredContent": {"result": given["a"] + given["b"]}}
    if name == "environment":
        return text(os.environ.get(given["variable"], ""))
    if name == "die":
        sys.stderr.write("out of ideas, token s3cr3t-value\n")
        sys.stderr.flush()
        os._exit(3)
    if name == "hang":
        time.sleep(3600)
    if name == "learn":
        TOOLS["fresh"] = {}
        changed = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
        sys.stdout.write(f"{json.dumps(changed)}\n")
    if name == "garbage":
        sys.stdout.write("this is no message\n{]\n")
        return text("clean")
    return text("x" * given["size"] if name == "huge" else str(os.getpid()))


def answer(method: str, given: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "small", "version": "1"},
        }
    if method == "tools/list":
        return {
            "tools": [
                {
                    "name": name,
                    "inputSchema": {"type": "object", "properties": fields},
                    "annotations": {"readOnlyHint": name == "add"},
                }
                for name, fields in TOOLS.items()
            ]
        }
    return use(given["name"], given.get("arguments") or {}) if method == "tools/call" else None


def main() -> None:
    if len(sys.argv) > 1:
        with Path(sys.argv[1]).open("a") as starts:
            starts.write(f"{os.getpid()}\n")
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message["method"], message.get("params") or {})
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        unknown = {"error": {"code": -32601, "message": "unknown method"}}
        sys.stdout.write(json.dumps(reply | (unknown if result is None else {"result": result})))
        sys.stdout.write("\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
