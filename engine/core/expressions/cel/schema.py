"""The library's serialised syntax tree (cel.expr.CheckedExpr), as far as it is read here.

Built from a description because the library ships no Python classes for it. Parts that are not
described (types, resolved overloads) pass through decoding and encoding untouched.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from google.protobuf import (
    any_pb2,
    descriptor_pb2,
    descriptor_pool,
    message_factory,
)

from engine.core.expressions.cel.syntax_messages import MESSAGES

Node: TypeAlias = Any
"""One node of the tree: a protobuf message made at run time, so without a static type."""

_TYPE_URL = "type.googleapis.com/cel.expr.CheckedExpr"
_F = descriptor_pb2.FieldDescriptorProto
_SCALARS = {
    "int64": _F.TYPE_INT64,
    "uint64": _F.TYPE_UINT64,
    "double": _F.TYPE_DOUBLE,
    "bool": _F.TYPE_BOOL,
    "string": _F.TYPE_STRING,
    "bytes": _F.TYPE_BYTES,
    "int32": _F.TYPE_INT32,
}


def _describe() -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(
        name="graphwright/cel.proto", package="graphwright.cel", syntax="proto3"
    )
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, (number, kind, repeated, oneof) in fields.items():
            described = message.field.add(name=field, number=number)
            described.label = _F.LABEL_REPEATED if repeated else _F.LABEL_OPTIONAL
            if kind in _SCALARS:
                described.type = _SCALARS[kind]
            else:
                described.type = _F.TYPE_MESSAGE
                described.type_name = f".graphwright.cel.{kind}"
            if oneof:
                if not message.oneof_decl:
                    message.oneof_decl.add(name=oneof)
                described.oneof_index = 0
    return file


_POOL = descriptor_pool.DescriptorPool()
_POOL.Add(_describe())


def _message(name: str) -> Any:
    return message_factory.GetMessageClass(_POOL.FindMessageTypeByName(f"graphwright.cel.{name}"))


Checked = _message("CheckedExpr")
Expr = _message("Expr")


def decode(serialized: bytes) -> Node:
    """Return the checked tree that the library serialised; its root node is `.expr`."""
    wrapped = any_pb2.Any.FromString(serialized)
    return Checked.FromString(wrapped.value)


def encode(checked: Node) -> bytes:
    """Return the bytes from which the library makes a program."""
    wrapped = any_pb2.Any(type_url=_TYPE_URL, value=checked.SerializeToString())
    return bytes(wrapped.SerializeToString())
