"""Model providers on the wire: what is given of one, and how it is shown."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from builder.api.http.wire import Body, JsonMap, Name, Text, Usd, Wire
from builder.models import ProviderTrial
from builder.services.models.model_prices import Rates
from builder.services.models.providers import NewProvider, ProviderChange

Key = Annotated[Text, Field(max_length=20_000)]
Headers = Annotated[dict[Name, Annotated[Text, Field(max_length=4_000)]], Field(max_length=20)]
ModelNames = Annotated[list[Name], Field(max_length=200)]
Label = Annotated[Text, Field(min_length=1, max_length=120)]
Address = Annotated[Text, Field(min_length=1, max_length=300)]
ProtocolName = Literal["openai_chat", "openai_responses", "anthropic", "google"]


class CapabilitiesBody(Body):
    """What may be asked of a model."""

    tools: bool = True
    schema_: Annotated[bool, Field(alias="schema")] = True
    images: bool = False

    def told(self) -> dict[str, bool]:
        """Return it as it is kept."""
        return {"tools": self.tools, "schema": self.schema_, "images": self.images}


CapabilitiesMap = Annotated[dict[Name, CapabilitiesBody], Field(max_length=200)]


class RatesBody(Body):
    """What a model costs, in USD per million tokens; `cached`: input from the provider's cache."""

    input_per_million: Usd
    output_per_million: Usd
    cached_per_million: Usd | None = None

    def rates(self) -> Rates:
        """Return them as the service takes them."""
        return Rates(self.input_per_million, self.output_per_million, self.cached_per_million)


PricesBody = Annotated[dict[Name, RatesBody], Field(max_length=200)]


class ProviderFields(Body):
    """What can be changed of a provider; `key` and `headers` can never be read again."""

    label: Label | None = None
    key: Key | None = None
    headers: Headers | None = None
    extra_body: Annotated[JsonMap, Field(max_length=50)] | None = None
    models: ModelNames | None = None
    capabilities: CapabilitiesMap | None = None

    def change(self) -> ProviderChange:
        """Return it as the service takes it."""
        return ProviderChange(
            label=self.label,
            key=self.key,
            headers=self.headers,
            extra_body=self.extra_body,
            models=None if self.models is None else tuple(self.models),
            capabilities=_told(self.capabilities),
        )


class ProviderBody(ProviderFields):
    """A server of one's own. `id` begins the names of its models."""

    id: Name
    base_url: Address
    protocol: ProtocolName = "openai_chat"
    prices: PricesBody | None = None
    accept_address: bool = False

    def new(self) -> NewProvider:
        """Return it as the service takes it."""
        return NewProvider(
            provider=self.id,
            label=self.label or self.id,
            base_url=self.base_url,
            protocol=self.protocol,
            key=self.key,
            headers=self.headers or {},
            extra_body=self.extra_body or {},
            models=tuple(self.models or ()),
            capabilities=_told(self.capabilities) or {},
            prices={name: each.rates() for name, each in (self.prices or {}).items()},
            accept_address=self.accept_address,
        )


def _told(body: dict[str, CapabilitiesBody] | None) -> dict[str, dict[str, bool]] | None:
    return None if body is None else {name: each.told() for name, each in body.items()}


class FindBody(Body):
    """The server to ask for its models."""

    base_url: Address
    protocol: ProtocolName = "openai_chat"
    key: Key | None = None
    headers: Headers | None = None
    accept_address: bool = False


class FoundModels(Wire):
    """What it has, or why it lists nothing; `more` where it has others than these."""

    models: list[str]
    more: bool
    problem: str


class TrialBody(Body):
    """The model to ask one short question."""

    model: Name


class TrialOut(Wire):
    """Whether a model answered, how soon, or why not. Times in milliseconds."""

    ok: bool
    message: str
    first_token_ms: int | None
    total_ms: int


class TestedOut(Wire):
    """How the last test of a provider went; `error` is empty where its model answered."""

    model: str
    at: str
    first_token_ms: int | None
    total_ms: int
    error: str

    @classmethod
    def of(cls, row: ProviderTrial) -> TestedOut:
        """Return it as shown."""
        return cls(
            model=row.model,
            at=row.at.isoformat(),
            first_token_ms=row.first_token_ms,
            total_ms=row.total_ms,
            error=row.error,
        )


class ProviderOut(Wire):
    """A provider as it is shown: never its key or what its headers say."""

    id: str
    label: str
    base_url: str
    protocol: str
    source: Literal["hosted", "loopback", "own", "machine"]
    has_key: bool
    from_environment: bool
    headers: list[str]
    extra_body: JsonMap
    models: list[str]
    named: list[str]
    capabilities: JsonMap
    reachable: bool | None
    problem: str
    tested: TestedOut | None


class ProviderDetail(ProviderOut):
    """A provider and what uses its models."""

    used_by: list[dict[str, str]]


class UseOut(Wire):
    """What a provider cost this month, and what uses its models."""

    id: str
    spent_usd: str
    calls: int
    unpriced_calls: int
    used_by: list[dict[str, str]]


class PresetOut(Wire):
    """What the form of a new provider may be filled with."""

    id: str
    label: str
    protocol: str
    base_url: str
    name: str
    key: Literal["needed", "asked", "none"]
    free: bool
    known: str
    hint: str


class PriceBody(RatesBody):
    """A price from a day on, in UTC; without a day from today on."""

    provider: Name
    pattern: Name = "*"
    from_date: Annotated[date, Field(strict=False)] | None = None


class PriceOut(Wire):
    """A price that the workspace set."""

    id: str
    provider: str
    pattern: str
    from_date: str
    input_per_million: str
    output_per_million: str
    cached_per_million: str | None
