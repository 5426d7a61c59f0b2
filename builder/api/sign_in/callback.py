"""Where a provider sends the browser back to: in, or to a page of ours that says why not.

What it says is never shown: the page has words of its own for each code.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_GET

from builder.base.errors import ServiceError
from builder.services.people.sign_in.oidc import flow


@require_GET
def callback(request: HttpRequest) -> HttpResponse:
    """Sign in or connect, and go on; a refusal is told by its code on the page where it began."""
    page = flow.page_of(request)
    try:
        place = flow.finish(request, {name: str(text) for name, text in request.GET.items()})
    except ServiceError as error:
        place = f"{page}?{urlencode({'refused': error.code})}"
    answer = HttpResponseRedirect(place)
    answer["Cache-Control"] = "no-store"
    return answer
