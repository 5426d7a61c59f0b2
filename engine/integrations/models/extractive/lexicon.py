"""Word beginnings that point to a common concept, in English, German and Spanish; money also in French.

A label whose words or description touch a concept takes over its evidence. `gloss` says the
concept in plain words, for comparison by embedding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from engine.integrations.models.extractive.text import plain

WILD = {"*": r"(?: \w+){0,5}?", "#": r" \d+"}


@dataclass(frozen=True, slots=True)
class Concept:
    """`names` make a label belong to the concept; `evidence` makes a text speak of it.

    In evidence `*` stands for up to five words and `#` for a number.
    """

    names: tuple[str, ...]
    evidence: tuple[str, ...]
    gloss: str


def _concept(names: str, evidence: str, gloss: str) -> Concept:
    def split(text: str) -> tuple[str, ...]:
        return tuple(
            " ".join(word if word in WILD else plain(word) for word in part.split())
            for part in text.split(",")
        )

    return Concept(split(names), split(evidence), gloss)


CONCEPTS: dict[str, Concept] = {
    "refund": _concept(
        "refund, reimburs, money back, chargeback, erstattung, reembolso",
        "refund, reimburs, money back, chargeback, money return, return my money, credit back,"
        "give me back, erstatt, ruckerstatt, geld zuruck, zuruckzahl, reembols, devuelv, devolucion,"
        "devolver, devolvieran, rembours, want back,"
        "want * # * back, want * # * returned, like * # * returned, give back, pay back, give * # * back, get * # * back, have * # * back, send * # * back",
        "wants the money back",
    ),
    "billing": _concept(
        "billing, invoice, payment, finance, accounting, charge, rechnung, zahlung, factur, pago",
        "bill, bills, invoice, charge, payment, paid, pay, pays, card, cards, credit card, debit, vat, receipt, overcharg,"
        "double charg, subscription fee, refund, rechnung, abgebucht, bezahl, zahlung, kreditkarte,"
        "mehrwertsteuer, lastschrift, betrag, erstatt, factur, cobr, pago, pague, tarjeta, recibo,"
        "cargo, reembols, iva, debit, preleve, rembours, paiement",
        "invoice, charge, payment, credit card or money taken",
    ),
    "technical": _concept(
        "technical, technic, bug, engineering, software, defect, incident, error, technik, tecnic",
        "error, crash, bug, broken, fail, freez, does not work, doesn t work, not working, stopped work,"
        "exception, timeout, slow, blank page, screen, install, update, api, server, app, browser,"
        "not load, won t load, loading, sync, export, absturz, sturzt, abgesturzt, fehler, funktioniert,"
        "ladt nicht, langsam, hangt, fallo, falla, no funciona, se cierra, no carga, pantalla,"
        "aplicacion, lento, 500, 404, 502",
        "the software shows an error, crashes or does not work",
    ),
    "shipping": _concept(
        "shipping, shipment, delivery, logistic, order status, parcel, fulfil, versand, lieferung, envio",
        "ship, deliver, parcel, package, tracking, courier, arriv, transit, warehouse, carrier, lost in,"
        "postal, address label, versand, versend, liefer, paket, zustell, sendung, unterwegs, ankomm,"
        "angekommen, envio, enviar, paquete, entreg, llegado, llega, pedido, transport, mensajer",
        "a parcel is late, lost or damaged in delivery",
    ),
    "account": _concept(
        "account, access, login, password, authenticat, identity, konto, cuenta, acceso",
        "password, log in, login, sign in, locked out, locked, two factor, 2fa, verification code,"
        "username, account, profile, change my email, reset, passwort, anmeld, einlogg, konto, gesperrt,"
        "zugang, benutzer, contrasena, iniciar sesion, cuenta, bloquead, usuario, acceder",
        "cannot sign in, password, profile or access to the account",
    ),
    "sales": _concept(
        "sales, pricing, quote, purchase, pre sales, upgrade, vertrieb, ventas",
        "quote, pricing, price list, discount, demo, plan, upgrade, enterprise, seats, license, licence,"
        "buy, purchase, trial, volume, offer, angebot, preis, rabatt, kaufen, lizenz, testversion,"
        "vorfuhr, presupuesto, precio, descuento, comprar, licencia, prueba, contratar",
        "wants to buy, asks for a price, a quote, a plan or a demonstration",
    ),
    "cancel": _concept(
        "cancel, churn, terminat, unsubscrib, kundig, cancelar",
        "cancel, terminate my, unsubscribe, close my account, stop my subscription, leave, switch to,"
        "kundig, stornier, abbestell, beenden, cancel, dar de baja, darme de baja, anular",
        "wants to end the subscription or cancel the order",
    ),
    "negative": _concept(
        "negative, angry, unhappy, complaint, dissatisf, frustrat, negativ, queja",
        "terrible, awful, worst, angry, disappoint, unacceptable, useless, hate, frustrat, ridiculous,"
        "bad, poor, horrible, never again, waste, broken, unhappy, rude, annoy, furious, enttausch,"
        "schlecht, furchtbar, unverschamt, arger, unzufrieden, nie wieder, katastroph, pesim, malo, mala,"
        "decepcion, inaceptable, molest, horrible, enfadad, queja",
        "angry, disappointed, bad experience",
    ),
    "positive": _concept(
        "positive, happy, satisf, praise, compliment, positiv, elogio",
        "great, love, excellent, amazing, perfect, thank you so much, wonderful, happy, fantastic, best,"
        "awesome, helpful, delight, impress, brilliant, good job, well done, works well, toll, super,"
        "danke, zufrieden, begeistert, hervorragend, klasse, excelente, genial, encanta, perfecto,"
        "maravillos, contento, estupend",
        "happy, pleased, good experience",
    ),
    "urgent": _concept(
        "urgent, critical, high, blocker, emergency, p0, p1, dringend, urgente",
        "urgent, asap, immediately, right now, critical, emergency, production down, outage, all users,"
        "everyone, blocked, cannot work, losing money, deadline, today, tonight, within the hour, right away, dringend, sofort,"
        "umgehend, notfall, ausfall, urgente, inmediat, cuanto antes, ya mismo, caid",
        "urgent, needs help immediately, work is blocked",
    ),
    "this_week": _concept(
        "this week, soon, within days, by friday, diese woche, esta semana",
        "tomorrow, soon, this week, next week, weekend, monday, tuesday, wednesday, thursday, friday,"
        "saturday, sunday, in * days, montag, dienstag, mittwoch, donnerstag, freitag, samstag, sonntag,"
        "diese woche, lunes, martes, miercoles, jueves, viernes, sabado, domingo, esta semana, manana",
        "to be done within the week",
    ),
    "low": _concept(
        "low, minor, trivial, niedrig, baja",
        "no rush, no hurry, whenever, minor, small thing, just wondering, cosmetic, nice to have, someday,"
        "typo, curious, not urgent, keine eile, irgendwann, kleinigkeit, sin prisa, cuando puedan",
        "minor, no hurry, a small thing",
    ),
    "feature": _concept(
        "feature, suggestion, idea, feedback, wish, enhancement, funktionswunsch, sugerencia",
        "feature, would be nice, would love, suggest, idea, please add, wish, could you add, dark mode,"
        "integration with, support for, wunsch, vorschlag, ware schon, sugerencia, seria bueno, gustaria que",
        "suggests an improvement or a new feature",
    ),
    "legal": _concept(
        "legal, contract, compliance, privacy, gdpr, recht, datenschutz",
        "contract, lawyer, legal, gdpr, privacy, liabilit, clause, lawsuit, terms, delete my data, nda,"
        "vertrag, anwalt, datenschutz, dsgvo, haftung, klage, contrato, abogado, privacidad, demanda",
        "contract, law, privacy or liability",
    ),
    "security": _concept(
        "security, fraud, abuse, sicherheit, seguridad",
        "hack, phish, fraud, stolen, breach, suspicious, vulnerab, malware, unauthori, gehackt, betrug,"
        "verdachtig, sicherheitsl, fraude, robad, sospechos",
        "fraud, attack, stolen account or leak",
    ),
    "spam": _concept(
        "spam, junk, advert, promotion",
        "click here, winner, lottery, free money, crypto, seo service, viagra, limited offer, unsubscribe,"
        "casino, backlinks, congratulations you",
        "unwanted advertising",
    ),
    "problem": _concept(
        "problem, issue, went wrong, trouble, complaint, defect, fault, mangel, problema",
        "broken, damaged, missing, wrong, error, fail, crash, late, lost, not work, does not, cannot,"
        "charged twice, delay, never, problem, issue, defect, kaputt, beschadigt, fehlt, falsch, fehler,"
        "verspat, defekt, roto, rota, dana, falta, retras, problema",
        "something is broken, wrong, late or missing",
    ),
    "person": _concept(
        "human review, human, escalat, manual, person, mensch",
        "speak to a human, talk to a person, real person, manager, supervisor, complaint, lawyer, legal,"
        "escalat, mitarbeiter sprechen, vorgesetzt, hablar con una persona, encargado",
        "a person must look at it",
    ),
}


@lru_cache(maxsize=512)
def _pattern(stem: str) -> re.Pattern[str]:
    if "*" in stem:
        words = (WILD.get(word, f" {re.escape(word)}") for word in stem.split())
        return re.compile(rf"(?<!\w){''.join(words).strip()}(?!\w)")
    return re.compile(rf"(?<!\w){re.escape(stem)}" + (r"(?!\w)" if len(stem) <= 4 else ""))


def hits(stems: tuple[str, ...], text: str) -> list[str]:
    """Return those of `stems` that begin a word of `text` (short ones must be the whole word)."""
    folded = plain(text)
    return [stem for stem in stems if _pattern(stem).search(folded)]


def concepts_of(label: str) -> list[Concept]:
    """Return the concepts that a label, a key or a claim belongs to."""
    return [concept for concept in CONCEPTS.values() if hits(concept.names, label)]
