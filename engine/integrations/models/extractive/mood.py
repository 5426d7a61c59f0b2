"""Whether a sentence asks for something to be done or tells how things are, in English, German and Spanish."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from engine.integrations.models.extractive.text import plain


class Mood(StrEnum):
    """What a sentence does."""

    REQUEST = "request"
    STATEMENT = "statement"


_REQUESTS = re.compile(
    r"^(?:please|bitte|por favor|todo|to do|let s|lets|don t|do not|never)\b"
    r"|\b(?:don t forget|do not forget|remember to|make sure|be sure to|needs? to|need to|have to|has to|"
    r"must|should|ought to|shall|can you|could you|would you|can somebody|can someone|to be done|is due|"
    r"are due|please|asap|nicht vergessen|bitte|muss|mussen|musst|soll|sollte|sollten|noch zu|"
    r"por favor|hay que|tengo que|tenemos que|tiene que|debe|debemos|debo|no olvid\w+|recuerda\w*)\b"
)
_IMPERATIVES = frozenset(
    "accept add address adjust answer apologize apply approve arrange ask assign attend authorize back "  # noqa: SIM905
    "backup bake block book borrow bring build buy calculate call cancel change charge check choose clean "
    "clear close collect come complete confirm contact convert cook copy correct count create cut decide "
    "delete deliver deploy describe design develop discuss download draft draw drive drop drink eat edit "
    "empty enable estimate examine exchange export extend fetch file fill finalize find finish fix follow "
    "forward get give go grab hand hang help hire import improve inform inspect install invite iron join "
    "keep lay learn leave let lend list load lock log look mail make mark measure meet mend merge mow move "
    "negotiate notify note open order organise organize paint pack park pass pay phone pick plan plant "
    "polish post practise prepare print process provide publish pull purchase push put read rearrange "
    "rebuild recharge record recycle refill register reject release remind remove rename renew rent repair "
    "repeat replace reply report request research reserve reset resolve respond restart restore retrieve "
    "return review revise rewrite run save scan schedule search secure see select sell send separate set "
    "share ship shorten show sign sketch solve sort speak start stop store study submit subscribe suggest "
    "summarise summarize supply switch take talk teach tell test thank throw tidy train transfer translate "
    "try turn unblock uninstall unsubscribe update upgrade upload vacuum validate verify visit wait wake "
    "walk wash watch water weed wipe withdraw wrap write "
    "ruf rufe schick schicke kauf kaufe schreib schreibe mach mache hol hole prufe bezahle "
    "llama llamar envia enviar compra comprar paga pagar escribe escribir revisa revisar".split()
)
_TOLD = re.compile(
    r"\b(?:was|were|had|did|went|got|came|made|said|saw|took|ate|gave|found|left|felt|kept|knew|met|ran|sat|"
    r"slept|spoke|spent|stood|told|thought|wrote|became|began|bought|brought|broke|built|caught|chose|cost|"
    r"drank|drove|fell|flew|forgot|grew|heard|held|hurt|led|lost|paid|rose|sang|sent|sold|shone|shut|swam|"
    r"taught|threw|understood|woke|wore|won|has been|have been|is|are|am|seems?|looks|feels|"
    r"war|waren|hatte|hatten|wurde|wurden|ist|sind|ging|kam|habe|haben|hat|fue|fueron|era|eran|estaba|"
    r"estuvo|habia|tuvo|tuvimos|fuimos|comimos|es|esta|estan)\b"
    r"|\b(?!need\b|hundred\b|red\b|bed\b|feed\b|seed\b|speed\b|shed\b|med\b|indeed\b|embed\b|proceed\b)"
    r"[a-z]{2,}ed\b"
)
_LEADS = re.compile(
    r"^(?:(?:and|also|then|next|first|finally|today|tomorrow|tonight|now|urgent|urgently|important|asap|"
    r"immediately|quickly|later|maybe|perhaps|so|ok|okay|just|on \w+day|by \w+day|\d+)\s+)+"
)
_ASKING_LABEL = re.compile(
    r"\b(?:tasks?|todos?|to do|actions?|action items?|requests?|commands?|instructions?|orders|assignments?|"
    r"aufgaben?|tareas?)\b"
)
_TELLING_LABEL = re.compile(
    r"\b(?:remarks?|notes?|observations?|statements?|facts?|comments?|memor(?:y|ies)|diary|story|info|"
    r"information|chatter|small talk|past|bemerkung|notiz|observacion|comentario)\b"
)


@lru_cache(maxsize=1024)
def mood_of(sentence: str) -> Mood | None:
    """Return what the sentence does; None where neither its words nor its form say so."""
    words = plain(sentence)
    if _REQUESTS.search(words):
        return Mood.REQUEST
    first = _LEADS.sub("", words).partition(" ")[0]
    if first in _IMPERATIVES:
        return Mood.REQUEST
    return Mood.STATEMENT if _TOLD.search(words) else None


def mood_asked_for(label: str) -> Mood | None:
    """Return the mood of the sentences that a label such as `task` or `remark` is for."""
    words = plain(label)
    if _ASKING_LABEL.search(words):
        return Mood.REQUEST
    return Mood.STATEMENT if _TELLING_LABEL.search(words) else None
