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
# name: (number, type, repeated, oneof); the numbers are those of cel/expr/syntax.proto.
_MESSAGES: dict[str, dict[str, tuple[int, str, bool, str]]] = {
    "Constant": {
        "null_value": (1, "int32", False, "kind"),
        "bool_value": (2, "bool", False, "kind"),
        "int64_value": (3, "int64", False, "kind"),
        "uint64_value": (4, "uint64", False, "kind"),
        "double_value": (5, "double", False, "kind"),
        "string_value": (6, "string", False, "kind"),
        "bytes_value": (7, "bytes", False, "kind"),
    },
    "Ident": {"name": (1, "string", False, "")},
    "Select": {
        "operand": (1, "Expr", False, ""),
        "field": (2, "string", False, ""),
        "test_only": (3, "bool", False, ""),
    },
    "Call": {
        "target": (1, "Expr", False, ""),
        "function": (2, "string", False, ""),
        "args": (3, "Expr", True, ""),
    },
    "CreateList": {
        "elements": (1, "Expr", True, ""),
        "optional_indices": (2, "int32", True, ""),
    },
    "Entry": {
        "id": (1, "int64", False, ""),
        "field_key": (2, "string", False, "key"),
        "map_key": (3, "Expr", False, "key"),
        "value": (4, "Expr", False, ""),
        "optional_entry": (5, "bool", False, ""),
    },
    "CreateStruct": {
        "message_name": (1, "string", False, ""),
        "entries": (2, "Entry", True, ""),
    },
    "Comprehension": {
        "iter_var": (1, "string", False, ""),
        "iter_range": (2, "Expr", False, ""),
        "accu_var": (3, "string", False, ""),
        "accu_init": (4, "Expr", False, ""),
        "loop_condition": (5, "Expr", False, ""),
        "loop_step": (6, "Expr", False, ""),
        "result": (7, "Expr", False, ""),
        "iter_var2": (8, "string", False, ""),
    },
    "Expr": {
        "id": (2, "int64", False, ""),
        "const_expr": (3, "Constant", False, "kind"),
        "ident_expr": (4, "Ident", False, "kind"),
        "select_expr": (5, "Select", False, "kind"),
        "call_expr": (6, "Call", False, "kind"),
        "list_expr": (7, "CreateList", False, "kind"),
        "struct_expr": (8, "CreateStruct", False, "kind"),
        "comprehension_expr": (9, "Comprehension", False, "kind"),
    },
    "CheckedExpr": {"expr": (4, "Expr", False, "")},
}


def _describe() -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(
        name="graphwright/cel.proto", package="graphwright.cel", syntax="proto3"
    )
    for name, fields in _MESSAGES.items():
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
