"""The base of everything on the wire: what comes in is checked strictly, what goes out is typed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
)

from builder.base.errors import InvalidInput, problem
from engine.core.budgets.money import SMALLEST
from engine.core.state.events import iso

T = TypeVar("T")


class Body(BaseModel):
    """A request's body: unknown fields are refused, types are not guessed."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    partial: ClassVar[bool] = False

    @classmethod
    def __pydantic_init_subclass__(cls, **_options: Any) -> None:
        """Give each body a `partial` of its own.

        The schema's generator sets it on the bodies of PATCH. A body that extends one of those
        would inherit it: from the second time on that a process serves its schema, POST took one
        in which nothing is required.
        """
        cls.partial = False

    @classmethod
    def read(cls, data: object) -> Self:
        """Return the body of a request. Raises `InvalidInput` with every problem and its place."""
        if not isinstance(data, Mapping):
            raise InvalidInput("the body is a JSON object")
        try:
            return cls.model_validate(dict(data))
        except ValidationError as error:
            problems = [
                problem("InputInvalid", _path(item["loc"]), _said(item["msg"], item["type"]))
                for item in error.errors(
                    include_url=False, include_context=False, include_input=False
                )
            ]
            raise InvalidInput("the request has mistakes", problems=problems) from None


FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)
LAST: Final = datetime(9000, 1, 1, tzinfo=UTC)


def in_reach(at: datetime) -> datetime:
    """Return a moment that can be said in every time zone. Raises `ValueError`."""
    if not FIRST <= at < LAST:
        raise ValueError("a moment from 1970 on, and before the year 9000")
    return at


Moment = Annotated[AwareDatetime, Field(strict=False), AfterValidator(in_reach)]
"""A moment with its zone, as RFC 3339 writes it."""


class Wire(BaseModel):
    """An answer. What has a default is there all the same, and the schema says so."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


def absent(value: object) -> bool:
    """Return whether a field is left out of an answer: it is None."""
    return value is None


class Shown(Protocol):
    """What a page says beside its rows."""

    @property
    def next(self) -> str | None: ...
    @property
    def total(self) -> int | None: ...
    @property
    def total_is_more(self) -> bool: ...


class Listing(Wire, Generic[T]):
    """A page of a list; `next` is the cursor of the following one."""

    results: list[T]
    next: str | None = None
    total: int | None = None
    """How many there are in all: on the first page of lists that come in pages."""
    total_is_more: bool = False
    """Whether there are more than `total`: counting ends somewhere."""

    @classmethod
    def of(cls, page: Shown, results: list[T]) -> Self:
        """Return a list whose rows are `results` of `page`."""
        return cls(
            results=results, next=page.next, total=page.total, total_is_more=page.total_is_more
        )

    @classmethod
    def model_parametrized_name(cls, params: tuple[Any, ...]) -> str:
        """Return the name of a list of `params` in the schema: `RunItemList`."""
        return f"{params[0].__name__}List"


def whole(results: list[Any]) -> dict[str, Any]:
    """Return the answer of a list that does not come in pages, its rows as they are."""
    return {"results": results, "next": None, "total": None, "total_is_more": False}


class Named(Wire):
    """Somebody or something by id and name."""

    id: str
    name: str


def _amount(value: object) -> Decimal:
    if isinstance(value, Decimal):
        return value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("an amount of USD as text")
    try:
        amount = Decimal(str(value))
    except ArithmeticError:
        raise ValueError("an amount of USD as text") from None
    return amount


def _in_range(amount: Decimal) -> Decimal:
    if not amount.is_finite() or not 0 <= amount <= 10**6:
        raise ValueError("an amount of USD from 0 to 1,000,000")
    if amount % SMALLEST:
        raise ValueError("an amount of USD with 12 decimals at most")
    return amount


def _no_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("text without NUL")
    return text


Usd = Annotated[
    Decimal,
    BeforeValidator(_amount),
    AfterValidator(_in_range),
    WithJsonSchema({"type": "string", "description": "USD as decimal text"}),
]
Text = Annotated[str, AfterValidator(_no_nul)]
Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_no_nul)]
Tokens = Annotated[int, Field(ge=0, lt=2**53)]
JsonMap = dict[str, Any]


def _path(location: tuple[int | str, ...]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path


def _said(message: str, kind: str) -> str:
    return "there is no such field" if kind == "extra_forbidden" else message


def time(ms: int) -> str:
    """Return milliseconds since the epoch as RFC 3339."""
    return iso(ms)


def time_or_none(ms: int | None) -> str | None:
    """Return `time(ms)`, None for not yet."""
    return None if ms is None else iso(ms)


def moment(value: datetime) -> str:
    """Return a column's moment as RFC 3339 in UTC."""
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
