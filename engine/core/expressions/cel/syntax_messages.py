"""The messages of the library's syntax tree, as far as they are read here: field by field."""

from __future__ import annotations

# name: (number, type, repeated, oneof); the numbers are those of cel/expr/syntax.proto.
MESSAGES: dict[str, dict[str, tuple[int, str, bool, str]]] = {
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
