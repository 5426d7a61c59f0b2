"""The public address of a webhook: who has it and signs for it starts a run.

No session and no cookie counts here, so there is nothing to forge in another's name: that is why
CSRF does not ask. Every refusal is `problem+json`.
"""

from __future__ import annotations

import re
from typing import Any, Final

from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from builder.api.http.problem import MEDIA_TYPE, problem_body, trouble_body
from builder.api.triggers.results import ResultAnswer
from builder.base.clock import now_ms
from builder.base.database_trouble import trouble_of
from builder.doors.signatures.call import Call
from builder.doors.triggers.receiving import Arrived, Taken, most_bytes, receive
from builder.doors.triggers.refusing import TurnedAway, note
from builder.models import Trigger
from engine.core.values.limits import MAX_IMPORT

ACCEPTED: Final = 202
MOST_QUERY: Final = 50
ADDRESS: Final = re.compile("[A-Za-z0-9_-]{43}")


@csrf_exempt
def hook(request: HttpRequest, address: str) -> JsonResponse:
    """Take a delivery in: 202 with the run, 200 where it came before or its result is there."""
    try:
        return _said(_taken(request, address))
    except TurnedAway as refusal:
        return _refused(refusal)
    except Exception as error:
        if (trouble := trouble_of(error)) is None:
            raise
        status, body, headers = trouble_body(trouble)
        return JsonResponse(body, status=status, headers=headers, content_type=MEDIA_TYPE)


def _taken(request: HttpRequest, address: str) -> Taken:
    if request.method != "POST":
        raise TurnedAway(405, "MethodNotAllowed", "send a POST")
    rows = Trigger.objects.filter(address=address, on=True, graph__archived_at__isnull=True)
    trigger = rows.first() if ADDRESS.fullmatch(address) else None
    if trigger is None:
        raise TurnedAway(404, "HookNotFound", "nothing listens at this address")
    now = now_ms()
    return receive(Arrived(trigger, _call(request, trigger, now), _query(request), now))


def _call(request: HttpRequest, trigger: Trigger, now: int) -> Call:
    """Return the call with its body. Raises `TurnedAway` 413 before a large one is read."""
    most = most_bytes(trigger)
    declared = request.headers.get("Content-Length", "")
    size = int(declared) if declared.isascii() and declared.isdecimal() else 0
    body = b"" if size > most else request.read(MAX_IMPORT + 1)
    if size > most or len(body) > most:
        refusal = TurnedAway(413, "InputTooLarge", f"{most // 1024} KiB are the most")
        note(trigger, refusal, now)
        raise refusal
    return Call(body, {name.lower(): text for name, text in request.headers.items()})


def _query(request: HttpRequest) -> dict[str, str]:
    given = list(request.GET.items())[:MOST_QUERY]
    return {name: str(text)[:2000] for name, text in given if "\0" not in f"{name}{text}"}


def _said(taken: Taken) -> JsonResponse:
    if taken.row is None:
        return JsonResponse(dict(taken.says or {}))
    said: dict[str, Any] = {"run": taken.row.run, "delivery": taken.row.pk}
    status = ACCEPTED
    if taken.repeated:
        said["repeated"], status = True, 200
    within_s = int(taken.row.door.config.get("answer_s", 0))
    if within_s and taken.row.run:
        return ResultAnswer(said, status, taken.row.door_id, within_s)
    return JsonResponse(said, status=status)


def _refused(refusal: TurnedAway) -> JsonResponse:
    body = problem_body(refusal.status, refusal.code, refusal.message)
    answer = JsonResponse(body, status=refusal.status, content_type=MEDIA_TYPE)
    if refusal.retry_after_s:
        answer["Retry-After"] = str(refusal.retry_after_s)
    if refusal.status == 405:
        answer["Allow"] = "POST"
    return answer
