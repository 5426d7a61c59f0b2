"""A model conversation: prompt, tool loop, structured answer, repair turns. Each call is a step."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

import orjson

from engine.agents.asked_calls import use_all
from engine.agents.pinning import ResolvedAgent, resolve_agent
from engine.agents.tool_offers import Toolbox, make_toolbox
from engine.core.decide.holds import FallbackWanted
from engine.core.errors import BudgetStop, NodeError
from engine.core.node_types.conversation import (
    Check,
    Conversation,
    Message,
    ReasonOptions,
    ToolCall,
    Usage,
)
from engine.core.people.model_questions import REQUEST_SCHEMA, request_in
from engine.core.people.questions import check_request
from engine.core.values.json import JsonObject, as_text, freeze
from engine.core.values.json_schema import schema_problem
from engine.integrations.models.answer_events import BROKEN_ARGUMENTS
from engine.integrations.models.chat import CUT, ChatRequest, ChatResponse

if TYPE_CHECKING:
    from engine.agents.activation import ActivationCalls, TalkOptions

_FENCE_LABEL = re.compile(r"\A\s*json\b", re.IGNORECASE)

MAX_TURNS = 50
"""Model calls of one conversation, so that a model that only calls tools ends."""


@dataclass(slots=True)
class Options:
    """What `converse` was asked for, with what holds where nothing was said."""

    schema: JsonObject | None = None
    tools: Sequence[str] | None = None
    stream: bool = True
    emit: bool = False
    system: str | None = None
    history: Sequence[Message] = ()
    temperature: float | None = None
    model: str | None = None
    check: Check | None = None
    verify: Check | None = None
    interrupt: str | None = None
    repair_turns: int = 1
    beside: Sequence[str] = ()
    """Keys that may stand in the answer although the schema does not name them."""
    described: Mapping[str, Any] = field(default_factory=dict)
    """Recorded with every call, such as the version of the frame."""
    read: Callable[[ChatResponse], object] | None = None
    recall: bool = True
    """Whether the facts of the node's `memory_query` stand in the prompt; judges see none."""


async def converse(
    ctx: ActivationCalls, agent: str | None, prompt: str, **options: Unpack[TalkOptions]
) -> Conversation:
    """Return the end of a conversation with `agent` that starts with `prompt`.

    Raises `NodeError`: `ResultSchemaMismatch` and what `check` raises after the last repair turn,
    `ProviderError`, `PriceUnknown`; control flow for budgets and cancellation.
    """
    try:
        asked = Options(**options)
    except TypeError:
        unknown = sorted(options.keys() - Options.__dataclass_fields__.keys())
        known = ", ".join(sorted(ReasonOptions.__annotations__))
        raise NodeError(
            "NodeConfigInvalid", f"ctx.reason takes no {', '.join(unknown)}; it takes {known}"
        ) from None
    if asked.recall:
        prompt = with_facts(prompt, await ctx.recall())
    try:
        return await _converse(ctx, agent, prompt, asked)
    except FallbackWanted as wanted:
        return await _converse(ctx, wanted.agent_id, prompt, asked, fallback=True)


def with_facts(prompt: str, facts: str) -> str:
    """Return the prompt with the section of facts after it, once."""
    return f"{prompt}\n\n{facts}" if facts and facts not in prompt else prompt


async def _converse(
    ctx: ActivationCalls,
    agent_id: str | None,
    prompt: str,
    asked: Options,
    *,
    fallback: bool = False,
) -> Conversation:
    agent = await resolve_agent(ctx, agent_id, None if fallback else asked.model)
    toolbox = await make_toolbox(ctx, agent, asked.tools)
    if agent.ask:
        await toolbox.pin(ctx)
    talk = _Talk(ctx, agent, asked, toolbox, fallback=fallback)
    return await talk.hold(prompt)


class _Talk:
    """One conversation under way."""

    def __init__(
        self,
        ctx: ActivationCalls,
        agent: ResolvedAgent,
        asked: Options,
        toolbox: Toolbox,
        *,
        fallback: bool,
    ) -> None:
        self._ctx = ctx
        self._agent = agent
        self._asked = asked
        self._toolbox = toolbox
        self._fallback = fallback
        self._messages: list[Message] = []
        self._calls: list[ToolCall] = []
        self._input = self._output = 0
        self._person_asked = False

    async def hold(self, prompt: str) -> Conversation:
        system = self._asked.system if self._asked.system is not None else self._agent.system_prompt
        if system:
            self._messages.append(Message("system", system))
        self._messages.extend(self._asked.history)
        self._messages.append(Message("user", prompt))
        repairs = self._asked.repair_turns
        rejected: NodeError | None = None
        for _turn in range(MAX_TURNS):
            try:
                response = await self._turn()
            except (BudgetStop, NodeError) as error:
                if rejected is not None and _cannot_repair(error):
                    raise rejected from error
                raise
            if response.tool_calls:
                self._refuse_cut_arguments(response)
                await self._use_tools(response)
                continue
            try:
                if await self._ask_person(response):
                    continue
                return await self._answer(response)
            except NodeError as error:
                if repairs <= 0 or not getattr(error, "repairable", False):
                    raise
                repairs -= 1
                rejected = error
                self._messages.append(Message("assistant", _said(response)))
                self._messages.append(Message("user", _repair_prompt(error)))
        raise NodeError("ConversationTooLong", f"no answer after {MAX_TURNS} model calls")

    async def _turn(self) -> ChatResponse:
        asked, agent, ctx = self._asked, self._agent, self._ctx
        temperature = agent.temperature if asked.temperature is None else asked.temperature
        schema = asked.schema
        if asked.interrupt is not None and not self._person_asked:
            schema = REQUEST_SCHEMA if asked.interrupt == "required" else None
        request = ChatRequest(
            model=agent.model,
            messages=tuple(self._messages),
            tools=tuple(self._toolbox.offers()),
            schema=schema,
            temperature=temperature,
            max_output_tokens=agent.max_output_tokens,
        )
        model = await ctx.resolve_model(agent.model, agent.id)
        response = await ctx.calls.model(
            model,
            request,
            agent.id,
            stream=asked.stream,
            described=asked.described,
            last_resort=self._fallback,
        )
        self._input += response.usage.input_tokens
        self._output += response.usage.output_tokens
        return response

    def _refuse_cut_arguments(self, response: ChatResponse) -> None:
        broken = any(BROKEN_ARGUMENTS in call.arguments for call in response.tool_calls)
        if broken and response.finish_reason == CUT:
            raise self._cut("the arguments of a tool call are not whole")

    def _cut(self, what: str) -> NodeError:
        limit = self._agent.max_output_tokens
        return NodeError(
            "AnswerCut",
            f"the answer was cut at max_output_tokens ({limit}): {what}. Raise the agent's limit,"
            " or ask for less",
            detail={"max_output_tokens": limit},
        )

    async def _use_tools(self, response: ChatResponse) -> None:
        self._messages.append(Message("assistant", response.text, response.tool_calls))
        self._calls += response.tool_calls
        told = await use_all(self._ctx, self._agent, self._toolbox, response.tool_calls)
        for call, text in zip(response.tool_calls, told, strict=True):
            self._messages.append(Message("tool", text, tool_call_id=call.id, tool_name=call.name))

    async def _ask_person(self, response: ChatResponse) -> bool:
        """Put a question that the model wrote to a person, and the answer to the model (row I3)."""
        mode = self._asked.interrupt
        if mode is None or self._person_asked:
            return False
        value = (
            response.structured if response.structured is not None else parse_text(response.text)
        )
        wanted = request_in(value)
        if wanted is None:
            if mode == "required":
                raise AnswerRejected(
                    "ResultSchemaMismatch", "ask a person first: {kind, question, options}"
                )
            return False
        try:
            request = check_request(wanted)
        except NodeError as error:
            raise AnswerRejected("ResultSchemaMismatch", error.message) from error
        answer = await self._ctx.interrupt(request)
        self._person_asked = True
        self._messages.append(Message("assistant", _said(response)))
        self._messages.append(Message("user", f"The person answered: {as_text(answer)}"))
        return True

    async def _answer(self, response: ChatResponse) -> Conversation:
        asked = self._asked
        output: Any = response.text
        if asked.schema is not None:
            said = None if asked.read is None else asked.read(response)
            read = response if said is None else replace(response, structured=said)
            output = self._parsed(read, asked.schema)
            _judge(asked.verify, output)
        elif response.structured is not None:
            output = freeze(response.structured)
        if asked.emit:
            await self._ctx.emit_message(as_text(output))
        return Conversation(
            text=response.text,
            output=output,
            tool_calls=tuple(self._calls),
            usage=Usage(self._input, self._output),
            agent_id=self._agent.id,
            wrote=self._toolbox.wrote,
            cut=response.finish_reason == CUT,
        )

    def _parsed(self, response: ChatResponse, schema: JsonObject) -> Any:
        try:
            return parse_answer(response, schema, self._asked.check, self._asked.beside)
        except NodeError as error:
            if response.finish_reason != CUT:
                raise
            raise self._cut(error.message) from error


def _cannot_repair(error: BaseException) -> bool:
    return isinstance(error, BudgetStop) or getattr(error, "code", "") == "ScriptExhausted"


def _said(response: ChatResponse) -> str:
    if response.text:
        return response.text
    return as_text(freeze(response.structured)) if response.structured is not None else ""


def _repair_prompt(error: NodeError) -> str:
    return (
        f"That answer was not accepted ({error.code}): {error.message}\n"
        "Answer again with one JSON object that fits. Say nothing else."
    )


class AnswerRejected(NodeError):
    """The model's answer was not accepted; a repair turn may heal it, a retry may not."""

    repairable = True


def _judge(check: Check | None, value: object) -> None:
    if check is None:
        return
    try:
        check(value)
    except NodeError as error:
        raise AnswerRejected(error.code, error.message, detail=error.detail) from error


def parse_answer(
    response: ChatResponse, schema: JsonObject, check: Check | None, beside: Sequence[str] = ()
) -> Any:
    """Return the answer as JSON that fits `schema`. Raises `AnswerRejected`.

    The structured block is taken first; without one the text, if it is JSON after trimming or has
    exactly one fenced JSON block (row V13). `check` runs first, so that its codes win (row V15).
    """
    value = response.structured if response.structured is not None else parse_text(response.text)
    if value is None:
        raise AnswerRejected("ResultSchemaMismatch", "the answer holds no JSON object")
    value = freeze(value)
    _judge(check, value)
    shown = value
    if beside and isinstance(value, dict):
        named: Any = schema.get("properties") or {}
        shown = {k: v for k, v in value.items() if k in named or k not in beside}
    problem = schema_problem(schema, shown)
    if problem is not None:
        raise AnswerRejected("ResultSchemaMismatch", problem)
    return value


def parse_text(text: str) -> Any:
    """Return JSON found in a text answer, None if there is none or more than one block."""
    text = text.strip()
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    found = []
    for block in text.split("```")[1::2]:
        try:
            found.append(orjson.loads(_FENCE_LABEL.sub("", block).strip()))
        except orjson.JSONDecodeError:
            continue
    return found[0] if len(found) == 1 else None


def parse_whole(text: str) -> Any:
    """Return the JSON that a text is, or that its one fenced block is; None if prose stands around.

    For answers where prose counts: a block that merely stands in it is not the answer.
    """
    text = text.strip()
    fenced = text.startswith("```") and text.endswith("```")
    return parse_text(text) if fenced or (text[:1] in '{["' and text[-1:] in '}]"') else None
