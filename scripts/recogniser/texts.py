"""Texts as tills print them: names of goods, amounts, dates, codes, words of receipts."""
import csv
import glob
import gzip
import json
import os
import random
import re

from characters import ADDED, PUBLISHED, bare, printable

LENGTH_MAX = 52
CURRENCIES = (
    "€ £ $ zł Kč kr Ft lei RM CHF Rp R$ KM EUR USD GBP SEK NOK DKK PLN HUF RON R Fr. kn din TL A$ S$"
).split()
FREQUENT_CURRENCIES = CURRENCIES[:6]
TAX_MARKS = [*"ABCDEFSTVXN*#12", "SR", "ZR", "GB", "*B", "MwSt", "%", "TX", "FF"]
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec JAN FEB MAR OCT DEC mai juin août".split()
DATE_LABELS = ["Date: ", "Datum ", "DATA ", "Fecha: ", "Date : ", "Dátum: ", "Tarih: "]
PHONE_LABELS = ["Tel. ", "Tel: ", "TEL ", "Phone: ", "", "Fax "]
NUMBER_LABELS = [
    "USt-IdNr. DE", "VAT NO GB ", "P.IVA ", "CIF B", "NIP ", "CNPJ ", "GST ID ", "Org nr ", "SIRET ", "ABN ",
]  # fmt: skip
SIZES = [
    "500g", "1L", "1kg", "250 G", "6x33cl", "2,5%", "100 ml", "75CL", "STK", "X2", "3 x", "BIO", "1,5 l", "400G",
]  # fmt: skip
OTHER_SCRIPTS = {"ar", "zh", "ja", "ko", "ru", "uk", "bg", "el", "th", "he", "fa", "hi"}
DIGITS = "0123456789"
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

MARKED = {}
for each in [*ADDED, *"äéèàáíóúòìÉÓÜüË"]:
    if bare(each) != each and bare(each).isalpha() and bare(each) in PUBLISHED:
        MARKED.setdefault("s" if each == "ß" else bare(each), []).append(each)


def product_names(folder):
    """Names of products of Open Food Facts (docs/data.md): a third of those of 2019, and all of the sample of 2026."""
    names = []
    with gzip.open(os.path.join(folder, "off-products-2019.csv.gz"), "rt", encoding="utf8") as file:
        rows = csv.reader(file)
        next(rows)
        names += [row[1] for i, row in enumerate(rows) if i % 3 == 0]
    with gzip.open(os.path.join(folder, "off-products-2026-sample.jsonl.gz"), "rt", encoding="utf8") as file:
        for line in file:
            by_language = json.loads(line).get("names", {})
            names += [name for language, name in by_language.items() if language not in OTHER_SCRIPTS]
    return [name for name in names if 3 < len(name) < 70]


def strings_in(value):
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [each for part in parts for each in strings_in(part)]


def words_of_receipts(reference):
    files = glob.glob(os.path.join(reference, "receipts/languages/*.json"))
    return [word for file in sorted(files) for word in strings_in(json.load(open(file))) if 1 < len(word) < 40]


def sample_rows(reference):
    rows = []
    for file in sorted(glob.glob(os.path.join(reference, "receipts/samples/*.txt"))):
        rows += [row.strip() for row in open(file, encoding="utf8") if not row.startswith(("{", "#", "="))]
    return [row for row in rows if row]


def merchant_names(reference):
    names = []
    for row in open(os.path.join(reference, "merchants.jsonl"), encoding="utf8"):
        merchant = json.loads(row)
        names += [merchant["name"], *merchant["spellings"], *merchant.get("websites", [])]
    return names


class Texts:
    """Draws texts: the same seed gives the same ones."""

    def __init__(self, seed, reference, products):
        self.random = random.Random(seed)
        self.names, self.words = product_names(products), words_of_receipts(reference)
        self.rows, self.merchants = sample_rows(reference), merchant_names(reference)

    def chance(self, probability):
        return self.random.random() < probability

    def drawn(self, characters, least, most):
        return "".join(self.random.choice(characters) for _ in range(self.random.randint(least, most)))

    def number(self):
        r = self.random
        low, high = r.choice([(0.1, 10), (0.1, 10), (1, 100), (10, 3000), (1000, 900000)])
        value, point, kind = r.uniform(low, high), r.choice(".,"), r.random()
        if self.chance(0.3):
            value = self.round_value()
        if kind < 0.75:
            text = f"{value:.2f}".replace(".", point)
            if value >= 1000 and self.chance(0.7):
                thousands = {".": ",", ",": "."}[point] if self.chance(0.8) else " "
                text = f"{int(text[:-3]):,}".replace(",", thousands) + text[-3:]
        elif kind < 0.83:
            text = f"{value:.3f}".replace(".", point)
        elif kind < 0.92:
            text = f"{int(value * 100):,}".replace(",", r.choice([".", ",", " ", ""]))
        else:
            text = str(int(value))
        return r.choice(["-", "- ", "+", ""]) + text + r.choice(["", "-", ""]) if self.chance(0.12) else text

    def round_value(self):
        """Amounts with many equal digits: a network whose steps are half a digit wide loses one of `000` or `11`."""
        r = self.random
        if self.chance(0.3):
            return float(r.choice("123456789") * r.randint(2, 6)) / r.choice([1, 100])
        return r.randint(1, 99) * r.choice([1, 10, 100, 500, 1000, 1000, 10000])

    def amount(self):
        r, text = self.random, self.number()
        if self.chance(0.3):
            sign = r.choice(FREQUENT_CURRENCIES * 3 + CURRENCIES)
            text = r.choice([sign + text, f"{sign} {text}", text + sign, f"{text} {sign}"])
        return text + r.choice([" ", ""]) + r.choice(TAX_MARKS) if self.chance(0.22) else text

    def quantity(self):
        r = self.random
        return r.choice(
            [
                f"{r.randint(1, 12)} x {self.number()}",
                f"{r.randint(1, 9)} X",
                f"{r.uniform(0.05, 3):.3f} kg".replace(".", r.choice(".,"))
                + r.choice([" x ", " @ ", " * ", " X "])
                + self.amount()
                + r.choice(["/kg", "/KG", "", " EUR/kg"]),
                str(r.choice([5, 7, 10, 19, 20, 21, 22, 23, 25, 5.5])).replace(".", r.choice(".,")) + r.choice(["%", " %"]),
                str(r.randint(1, 99)),
                f"({r.randint(1, 9)})",
                f"{r.randint(1, 9)}*{self.number()}",
            ]
        )

    def date(self):
        r = self.random
        year, month, day, sign = r.randint(2010, 2031), r.randint(1, 12), r.randint(1, 31), r.choice("/.-. ")
        text = r.choice(
            [
                f"{day:02d}{sign}{month:02d}{sign}{year}",
                f"{day:02d}{sign}{month:02d}{sign}{year % 100:02d}",
                f"{year}-{month:02d}-{day:02d}",
                f"{month:02d}/{day:02d}/{year}",
                f"{day} {r.choice(MONTHS)} {year}",
            ]
        )
        if self.chance(0.6):
            text += r.choice([" ", "  ", " - ", " | "]) + f"{r.randint(0, 23):02d}:{r.randint(0, 59):02d}"
            text += f":{r.randint(0, 59):02d}" if self.chance(0.5) else ""
        return r.choice(DATE_LABELS) + text if self.chance(0.2) else text

    def code(self):
        r, kind = self.random, self.random.random()
        if kind < 0.3:
            return self.drawn(DIGITS, 4, 16)
        if kind < 0.45:
            return self.drawn(CAPITALS + DIGITS, 4, 20)
        if kind < 0.55:
            return self.drawn(CAPITALS + CAPITALS.lower() + DIGITS + "+/=", 8, 36)
        if kind < 0.7:
            return r.choice("*Xx#") * r.randint(4, 14) + r.choice(["", " "]) + self.drawn(DIGITS, 4, 4)
        if kind < 0.85:
            return r.choice(PHONE_LABELS) + r.choice("+0(") + self.drawn("0123456789  -/)", 8, 14).strip()
        return r.choice(NUMBER_LABELS) + self.drawn(DIGITS, 8, 13)

    def shortened(self, word):
        r = self.random
        if self.chance(0.5):
            return word
        if self.chance(0.6):
            return word[: r.randint(2, 5)] + r.choice([".", "", ""])
        return word[0] + "".join(c for c in word[1:] if c.lower() not in "aeiou")

    def name(self):
        r, text = self.random, self.random.choice(self.names)
        if self.chance(0.35):
            text = r.choice([" ", " ", "."]).join(self.shortened(word) for word in text.split())
        if self.chance(0.4):
            text = text[: r.randint(8, 30)]
        return f"{text} {r.choice(SIZES)}" if self.chance(0.25) else text

    def label(self):
        r, text = self.random, self.random.choice(self.words)
        if self.chance(0.5):
            return text
        return text + r.choice([" ", ": ", " : ", ":", ". "]) + r.choice([r.choice(self.words), self.amount(), self.amount()])

    def row(self):
        text = self.random.choice(self.rows)
        text = "".join(self.random.choice(DIGITS) if c.isdigit() and self.chance(0.7) else c for c in text)
        cells = [cell for cell in re.split(r"\s{2,}", text) if cell]
        return self.random.choice(cells) if len(cells) > 1 and self.chance(0.7) else text

    def plain(self):
        kinds = [
            (0.30, self.name),
            (0.08, lambda: f"{self.name()} {self.amount()}"),
            (0.17, self.amount),
            (0.05, self.quantity),
            (0.07, self.date),
            (0.06, self.code),
            (0.07, self.label),
            (0.14, self.row),
            (0.06, lambda: self.random.choice(self.merchants)),
        ]
        draw = self.random.choices([kind for _, kind in kinds], [share for share, _ in kinds])[0]
        return draw()

    def next(self):
        """A text of at most 52 characters. Some letters of some texts get marks, in any language."""
        text, case = self.plain(), self.random.random()
        text = text.upper() if case < 0.45 else text.lower() if case < 0.5 else text
        if self.chance(0.14):
            share = self.random.choice([0.08, 0.25])
            text = "".join(self.random.choice(MARKED[c]) if c in MARKED and self.chance(share) else c for c in text)
        text = printable(text)
        if len(text) > LENGTH_MAX:
            first = self.random.randint(0, len(text) - 40)
            text = text[first : first + self.random.randint(15, 48)].strip()
        return text or self.next()
