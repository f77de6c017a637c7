"""The characters that are read: those of the published model that receipts in Latin script have, and those that it lacks."""
import re
import unicodedata

PUBLISHED = set(
    "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_abcdefghijklmnopqrstuvwxyz{|}"
    "äéèàáíóúòìÉÓÜüË°²×¥"
)
ADDED = (
    "£€ßöÖÄâêîôûëïçÇñÑãõÃÕåÅøØæÆąęćńśźżłĄĘĆŃŚŹŻŁőűŐŰčďěňřšťůýžČĎĚŇŘŠŤŮÝŽăşţĂŞŢğĞıİđĐÀÁÂÊÈÍÎÔÚÙÛùÿ§½®"
)
SPACE = " "

# What is not distinguished in print is one character: comma and cedilla below, kinds of quotation marks and dashes.
SAME = {
    "ș": "ş", "Ș": "Ş", "ț": "ţ", "Ț": "Ţ", "’": "'", "‘": "'", "´": "'", "`": "'", "“": '"', "”": '"', "„": '"',
    "«": '"', "»": '"', "–": "-", "—": "-", "−": "-", "·": ".", "•": "*", "…": "...", "¿": "?", "¡": "!", "º": "°",
    "ª": "a", "œ": "oe", "Œ": "OE", "Ò": "Ó", "Ì": "Í", "₺": "TL",
}  # fmt: skip

# Letters whose mark Unicode does not take apart, and signs, by what they look like.
SIMILAR = {
    "ß": "B", "ø": "o", "Ø": "O", "æ": "a", "Æ": "A", "ł": "l", "Ł": "L", "ı": "i", "đ": "d", "Đ": "D",
    "£": "E", "€": "E", "§": "S", "½": "1", "®": "R",
}  # fmt: skip


def published_classes(keys_path):
    """The characters that are kept of the published model's, in its order, and their classes: blank, they, space."""
    with open(keys_path, encoding="utf8") as file:
        keys = [key.rstrip("\r") for key in file.read().split("\n") if key.rstrip("\r") != ""]
    kept = [(key, i + 1) for i, key in enumerate(keys) if key in PUBLISHED]
    return [key for key, _ in kept], [0, *(i for _, i in kept), len(keys) + 1]


def bare(character):
    """The character that one without its mark looks like."""
    return SIMILAR.get(character, unicodedata.normalize("NFD", character)[0])


def printable(text):
    """The text in the characters that are read; what is none of them is left out."""
    text = "".join(SAME.get(c, c) for c in unicodedata.normalize("NFC", text))
    text = re.sub(r"\s+", " ", text).strip()
    return "".join(c for c in text if c in PUBLISHED or c in ADDED or c == SPACE)
