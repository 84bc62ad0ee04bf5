"""The docstring of a class with those of its fields, so that ``help`` shows what an editor shows."""

from __future__ import annotations

import ast
import inspect

HEADING = "Each option:"


class FieldDocs:
    """In the place of a class's ``__doc__``: reads the texts below the fields from the source on first use.

    >>> from duramen import Options
    >>> print(Options.__doc__[Options.__doc__.index("Each option:"):])  # doctest: +ELLIPSIS
    Each option:
    <BLANKLINE>
    mode: Mode = 'balanced'
        ``precision`` ...
    """

    def __init__(self, about: str | None) -> None:
        self.about = about or ""
        self.whole = ""

    def __get__(self, _: object, owner: type) -> str:
        if not self.whole:
            lines = list(_field_lines(owner))
            self.whole = "\n".join([inspect.cleandoc(self.about), "", HEADING, "", *lines]) if lines else self.about
        return self.whole


def _field_lines(owner: type) -> list[str]:
    """Each field as it is written, with its text; nothing where the source is not installed."""
    try:
        (definition,) = ast.parse(inspect.cleandoc("\n" + inspect.getsource(owner))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return []
    body = definition.body if isinstance(definition, ast.ClassDef) else []
    lines: list[str] = []
    for field, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(field, ast.AnnAssign):
            if isinstance(field.value, ast.Call):
                field.value = None  # how a default is made
            lines.append(ast.unparse(field))
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                lines += [f"    {line}" for line in inspect.cleandoc(str(after.value.value)).splitlines()]
    return lines
