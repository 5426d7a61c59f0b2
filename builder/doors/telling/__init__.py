"""What the doors tell: people and programs what happens, and how a trigger fares.

A house event becomes a notice for each rule that it fits (`hearing`), a notice is judged, written and
sent by whichever process claims it (`carrier`), and stays as a row with what became of it.
"""
