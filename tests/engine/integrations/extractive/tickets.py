"""Support tickets with the answers that a careful reader gives."""

from __future__ import annotations

from typing import NamedTuple


class Ticket(NamedTuple):
    text: str
    topic: str
    refund: bool = False
    amount: float | None = None


B, T, S, A = "billing", "technical", "shipping", "account"

TICKETS = [
    Ticket(
        "I was charged twice for my March subscription. Please refund one of the payments of $49.00.",
        B,
        True,
        49.0,
    ),
    Ticket(
        "hey, why is my invoice 120 EUR higher than last month?? nothing changed on our side",
        B,
        False,
        120.0,
    ),
    Ticket(
        "Could you send me a VAT receipt for the payment I made last week? Our accountant needs it.",
        B,
    ),
    Ticket(
        "My credit card expired and I need to update the payment method before the next billing cycle.",
        B,
    ),
    Ticket(
        "You took 15.99 from my bank account although I cancelled the trial. I want my money back.",
        B,
        True,
        15.99,
    ),
    Ticket(
        "The amount on invoice INV-2041 does not match our purchase order. We agreed on $1,250.00.",
        B,
        False,
        1250.0,
    ),
    Ticket("Is it possible to pay yearly by bank transfer instead of by card each month?", B),
    Ticket(
        "Dear team, the discount we negotiated is missing from our latest bill. Kindly issue a corrected invoice.",
        B,
    ),
    Ticket("There's a charge of £30 on my statement that I do not recognise.", B, False, 30.0),
    Ticket(
        "Ich habe eine doppelte Abbuchung auf meinem Konto: 29,90 € am 3. Mai. Bitte erstatten Sie den Betrag.",
        B,
        True,
        29.9,
    ),
    Ticket("Auf meiner Rechnung fehlt die Umsatzsteuer-ID. Können Sie sie bitte korrigieren?", B),
    Ticket(
        "Me han cobrado dos veces la cuota de este mes. Quiero un reembolso de 25,00 €.",
        B,
        True,
        25.0,
    ),
    Ticket("¿Pueden enviarme la factura de enero a nombre de la empresa?", B),
    Ticket("The app crashes every time I open the settings page on Android 14.", T),
    Ticket("We keep getting a 500 error from the API when we upload files larger than 10 MB.", T),
    Ticket("Since yesterday's update the dashboard is just a blank white screen in Firefox.", T),
    Ticket("export to csv is broken, it hangs at 99% forever", T),
    Ticket("Notifications stopped arriving on my phone after I installed version 3.2.", T),
    Ticket(
        "Hello, the search returns no results at all, even for documents that I can clearly see in the list.",
        T,
    ),
    Ticket(
        "Your webhook sends malformed JSON: a trailing comma in the items array makes our parser fail.",
        T,
    ),
    Ticket("Pages take thirty seconds to load this morning. Is there an outage?", T),
    Ticket("The print button does nothing. I tried Chrome and Edge, same behaviour.", T),
    Ticket("Calendar sync duplicates every meeting, so I see each of them three times.", T),
    Ticket("Die App stürzt beim Öffnen der Kamera ab. Neuinstallation hat nichts gebracht.", T),
    Ticket(
        "Seit dem letzten Update funktioniert der Export nicht mehr, es kommt nur eine Fehlermeldung.",
        T,
    ),
    Ticket("La aplicación se cierra sola cuando intento subir una foto.", T),
    Ticket("El informe mensual no carga, aparece un mensaje de error interno.", T),
    Ticket(
        "My parcel was supposed to arrive on Monday and the tracking has not moved for five days.",
        S,
    ),
    Ticket("The box arrived crushed and two of the glasses inside are broken.", S),
    Ticket(
        "Can I still change the delivery address of order 88213? It has not left your warehouse yet.",
        S,
    ),
    Ticket("The courier says he delivered it, but nothing was left at my door.", S),
    Ticket("where is my package?? ordered 2 weeks ago, still nothing", S),
    Ticket("I received someone else's order. The blue jacket on the slip isn't mine.", S),
    Ticket("Do you ship to Norway, and how long does delivery take?", S),
    Ticket("One item was missing from the shipment: the charger listed on the packing slip.", S),
    Ticket(
        "Mein Paket ist seit zwei Wochen unterwegs und die Sendungsverfolgung zeigt nichts Neues.",
        S,
    ),
    Ticket("Die Lieferung war unvollständig, es fehlt ein Stuhl.", S),
    Ticket("El pedido llegó con la caja abierta y falta un artículo.", S),
    Ticket("¿Cuándo llega mi paquete? El transportista no contesta.", S),
    Ticket("I forgot my password and the reset e-mail never comes.", A),
    Ticket("My account is locked after three wrong attempts. Please unlock it.", A),
    Ticket("How do I turn on two-factor authentication for my profile?", A),
    Ticket(
        "I lost the phone with my authenticator, so I cannot get past the verification code.", A
    ),
    Ticket("Please change the e-mail address I sign in with to anna@example.org.", A),
    Ticket("A colleague left the company; how do I take over the ownership of her user?", A),
    Ticket("I'd like to delete my profile and all personal data with it.", A),
    Ticket("cant log in, it says user unknown but I've been a member since 2019", A),
    Ticket("Ich kann mich nicht mehr anmelden, mein Passwort wird nicht akzeptiert.", A),
    Ticket("Bitte ändern Sie meinen Benutzernamen, ich habe geheiratet.", A),
    Ticket("No puedo iniciar sesión, dice que mi cuenta está bloqueada.", A),
    Ticket("Olvidé mi contraseña y no recibo el correo para cambiarla.", A),
]
