import { isTooDifferent, lettersIn, containsFuzzyWord } from "./fuzzy-match.ts";
import type { LetterSet } from "./fuzzy-match.ts";
import { WORDS_BY_LANGUAGE } from "./words-by-language.ts";

/** What the words of a row say it is; null: nothing known, so perhaps an item. */
export type Label =
  | "total"
  | "subtotal"
  /** A sum of taxes, or what else is put on top (service). */
  | "taxTotal"
  /** Any word of taxes, be it of a rate, a table or what is within the prices. */
  | "tax"
  | "rounding"
  | "cash"
  | "card"
  | "change"
  /** What is told and neither paid nor taken off: saved so far, points, balances. */
  | "savings"
  /** How many were sold. */
  | "count"
  | "discount"
  | "void"
  /** What the till says of itself, the document and the shop, and the headings of the list. */
  | "head"
  /** What is said to the customer. */
  | "note";

// Words of receipts in English, German, French, Spanish, Italian and Malay, as the OCR sees them: no accents, ß as B.
// A word of up to five letters must stand alone; longer ones may stand inside others, and where they begin and end with a word they may
// differ by one letter in seven (phrases: in ten): LEMON TART is no MONTANT. With `=` a word must stand alone, letter for letter: names of
// foods are too like it (TENDERLOIN, CAMEMBERT, ARROZ REDONDO, PARMESAN SHAVINGS).
const WORDS: readonly [Label, readonly string[]][] = [
  [
    "savings",
    // prettier-ignore
    ["total savings", "you saved", "you have saved", "total discount", "savings today", "sie sparen", "gespart", "sie haben", "vous avez economise", "ha ahorrado", "hai risparmiato", "anda jimat", "your savings", "ersparnis", "preisvorteil gesamt", "total remise", "total descuento", "missed point", "points earned", "points balance", "new points balance", "balance before", "balance after", "remaining balance", "card balance", "points this visit", "points", "treuepunkte", "punkte", "puntos", "saldo punti", "treueherz", "promotion savings", "=savings", "rabattberechtigt", "auf den umsatz", "guthaben", "total saving"],
  ],
  [
    "rounding",
    [
      "rounding",
      "rundung",
      "arrondi",
      "arrotondamento",
      "=redondeo",
      "pembundaran",
      "pelarasan",
      "afronding",
      "rounding adj",
      "round adj",
      "bundar",
      "rounding adjustment",
      "round off",
      "rounded off",
    ],
  ],
  [
    "change",
    // prettier-ignore
    ["change", "change due", "ruckgeld", "rueckgeld", "zuruck", "zurueck", "wechselgeld", "rendu", "a rendre", "monnaie", "rendu monnaie", "cambio", "a devolver", "resto", "baki", "your change", "cash change", "wisselgeld", "terug", "restgeld", "herausgeld", "monnaie rendue", "su cambio"],
  ],
  [
    "taxTotal",
    [
      "sales tax",
      "total tax",
      "tax total",
      "total gst",
      "total vat",
      "mwst gesamt",
      "total iva",
      "total tva",
      "service charge",
      "svc chg",
      "serv chg",
      "service chg",
      "svc charge",
      "state tax",
      "city tax",
      "county tax",
      "service tax",
      "di cui iva",
      "dont tva",
      "hst",
      "pst",
      "tax due",
    ],
  ],
  [
    "count",
    // prettier-ignore
    ["item count", "no of items", "number of items", "items sold", "total qty", "total quantity", "=quantity", "anzahl artikel", "posten", "nombre d articles", "nb articles", "articulos", "num articulos", "numero pezzi", "no of item", "total items", "total item", "items in basket", "balance due items", "qty tender", "artikelanzahl", "nbre articles", "total lines", "item sold", "tot pezzi", "item s"],
  ],
  [
    "subtotal",
    // prettier-ignore
    ["subtotal", "sub total", "zwischensumme", "sous total", "subtotale", "total before", "total excl", "total excluding", "total exclude", "excluding gst", "excl gst", "before tax", "nettosumme", "sub ttl", "subtotaal", "amount excl", "jumlah kecil", "taxable amount", "btotal"],
  ],
  [
    "total",
    // prettier-ignore
    ["total", "grand total", "net total", "nett total", "amount due", "total due", "balance due", "balance to pay", "to pay", "total to pay", "total sale", "total sales", "total payable", "amount payable", "net payable", "total rounded", "total incl", "total amt", "total amount", "total after", "zu zahlen", "summe", "gesamtbetrag", "gesamtsumme", "gesamt", "endbetrag", "zahlbetrag", "betrag", "total ttc", "a payer", "net a payer", "montant", "montant du", "total a pagar", "a pagar", "importe total", "total euro", "importo", "totale", "totale complessivo", "totale euro", "importo pagato", "jumlah", "jumlah besar", "ttl", "tl", "tot", "net amt", "fotal", "yotal", "tctal", "surme", "sunme", "sumne", "sumrne", "surnme", "due", "invoice total", "order total", "bill total", "total eur", "totaal", "te betalen", "amount to pay", "a regler", "net a regler", "reste a payer", "total a regler", "rechnungsbetrag", "endsumme", "zu bezahlen", "total factura", "total compra", "total venta", "importe a pagar", "da pagare", "netto a pagare", "totale documento", "complessivo", "umme"],
  ],
  [
    "tax",
    // prettier-ignore
    ["gst", "vat", "mwst", "mehrwertst", "mehrwertsteuer", "steuer", "tva", "iva", "sst", "tax", "cgst", "sgst", "igst", "tax summary", "gst summary", "vat summary", "netto", "brutto", "ust", "umsatzst", "imponibile", "base imp", "cuota", "imposta", "tax1", "tax 1", "h t", "tax code", "btw", "inclusive gst", "gst included", "netto umsatz", "=tps", "=tvq"],
  ],
  [
    "cash",
    [
      "cash",
      "bar",
      "bargeld",
      "gegeben",
      "geg bar",
      "especes",
      "espece",
      "efectivo",
      "entregado",
      "entrega",
      "contante",
      "contanti",
      "contant",
      "tunai",
      "cash tendered",
      "cash received",
      "tendered",
      "=tender",
      "paid amount",
      "paid",
      "amount paid",
      "amount tendered",
      "received",
      "recu",
      "pagato",
      "payment",
      "customers payment",
    ],
  ],
  [
    "card",
    // prettier-ignore
    ["visa", "mastercard", "master card", "master", "maestro", "amex", "american express", "debit", "credit", "card", "visa card", "girocard", "ec karte", "ec cash", "kartenzahlung", "kreditkarte", "lastschrift", "carte", "carte bancaire", "cb", "tarjeta", "bancomat", "carta", "pagamento", "pagamento elettronico", "apple pay", "google pay", "contactless", "kontaktlos", "sale", "discover", "=interac", "ebt", "gift card", "voucher", "gutschein", "titres restaurant", "ticket restaurant", "pinnen", "bankpas", "touch n go", "grabpay", "paypal", "card payment", "eftpos", "chip", "v pay", "vpay", "bezahlt"],
  ],
  [
    "void",
    [
      "void",
      "voided",
      "storno",
      "sofortstorno",
      "artikelstorno",
      "annulation",
      "annule",
      "anulado",
      "anulacion",
      "annullo",
      "storno pos",
      "cancel",
      "cancelled",
      "refund",
      "error correct",
      "batal",
      "removed",
    ],
  ],
  [
    "discount",
    // prettier-ignore
    ["discount", "disc", "desc", "dcto", "discnt", "rabatt", "remise", "reduction", "descuento", "dto", "sconto", "coupon", "coupons", "promo", "promotion", "saving", "clubcard", "clubcard price", "cc", "nectar price", "price cut", "multibuy", "multi buy", "nachlass", "korting", "preisvorteil", "diskaun", "potongan", "markdown", "=reduced", "member savings", "store coupon", "=offerta", "oferta", "avantage", "aktionsrabatt", "lidl plus", "mitarbeiterrabatt", "less", "staff discount", "leergutbon", "deposit return", "pfandruckgabe", "price reduction", "instant savings", "loyalty", "bonus", "rebate", "ahorro", "bon d achat"],
  ],
  [
    "head",
    // prettier-ignore
    ["tel", "fax", "phone", "telefon", "telephone", "tax invoice", "invoice", "receipt no", "cashier", "kasse", "kassierer", "terminal", "beleg", "bon nr", "datum", "uhrzeit", "date", "time", "description", "item qty", "qty", "price", "unit price", "gst id", "gst reg", "gst no", "gst number", "vat no", "vat reg", "uid", "ust id", "steuernummer", "siret", "nif", "cif", "p iva", "partita iva", "reg no", "co no", "roc no", "invoice no", "doc no", "customer", "valued customer", "opening hours", "shopping hours", "offnungszeiten", "www", "http", "order", "table", "=counter", "operator", "salesperson", "cashsale", "company no", "store", "manager", "your cashier", "served by", "pcs", "uom", "tafel", "till", "trans", "=member", "document no", "bill no", "sales invoice", "slip", "pos no", "eur kg", "eurkg"],
  ],
  [
    "note",
    // prettier-ignore
    ["thank you", "thanks", "vielen dank", "merci", "gracias", "grazie", "terima kasih", "come again", "goods sold", "not refundable", "returnable", "no refund", "please retain", "keep your receipt", "keep the invoice", "beleg aufbewahren", "umtausch", "visit us"],
  ],
];

/** Letters the OCR confuses are made one, accents and all else dropped: `ZUROCK`, `Zurück` and `2UROCK` are compared alike. */
export function compactKey(text: string): string {
  return foldForOcr(text).replaceAll(" ", "");
}

/** As squashed(), words kept apart by one space. */
export function foldForOcr(text: string): string {
  return text
    .replaceAll("ß", "B")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .replace(/[1L|!]/g, "I")
    .replace(/[0Q]/g, "O")
    .replaceAll("5", "S")
    .replaceAll("8", "B")
    .replace(/[^A-Z]+/g, " ")
    .trim();
}

/** For words long enough to bear it, also what worn print confuses: T with I, U with O (`IUIAL` is `TOTAL`). */
function worn(letters: string): string {
  return letters.replaceAll("T", "I").replaceAll("U", "O");
}

/** `slack` null: the word must stand alone. */
interface Pattern {
  label: Label;
  words: string;
  letters: string;
  letterSet: LetterSet;
  isWorn: boolean;
  slack: number | null;
}

/** Words of this many letters are compared as worn print, longer ones also inside others. */
const WORN_LETTERS_MIN = 5;
const INNER_LETTERS_MIN = 6;

const PATTERNS: readonly Pattern[] = [...WORDS, ...WORDS_BY_LANGUAGE].flatMap(([label, words]) =>
  words.map((word) => {
    const letters = compactKey(word);
    const isExact = word.startsWith("=");
    const isWorn = letters.length >= WORN_LETTERS_MIN && !isExact;
    const isInner = letters.length >= INNER_LETTERS_MIN && !isExact;
    return {
      label,
      words: isWorn ? ` ${worn(foldForOcr(word))} ` : ` ${foldForOcr(word)} `,
      letters: worn(letters),
      letterSet: lettersIn(worn(letters)),
      isWorn,
      slack: isInner ? Math.floor(letters.length / (word.includes(" ") ? 10 : 7)) : null,
    };
  }),
);

/** Folded: incl, inkl, inll, inc, inclusive, included. */
const INCLUSIVE = / IN[CKI]I?(?: |OSIV|USIV|UDE)/;

/** `**** BALANCE  17.06`, `TAX 1.31 BAL 31.48`: the total; alone balances are of other things, and there is `PRO BALANCE` dog food. */
const STARRED_BALANCE = /(?:\*{2,}\W*(?:\w\s)?|\bTAX\s+)BAL(?:ANCE)?\b/i;

/** `SummeEUR`, `TotalCHF`, `TOTALTTC`: the OCR often loses the space between. */
const GLUED_CURRENCY = /(?<=\p{L}{4})(?:EUROS?|EUR|CHF|GBP|USD|PLN|DKK|SEK|NOK|CZK|RM|TTC)(?!\p{L})/giu;

/** `COLGATE TOTAL 100ML`: what a pack holds is no word of a sum. */
const PACK_SIZE = /(?<![\d.,])(?:\d{2,4}\s?(?:ml|cl|gr?)|\d{1,2}(?:\.\d)?\s?[o0]z)(?![\p{L}\d])/iu;

/** `Take-OutTotal`, `GrandTotal`. */
const GLUED_WORDS = /(?<=\p{Ll})(?=\p{Lu}\p{Ll}{3})/gu;

/** `IVA10%`, `VAT20.00%`: so it does before a rate, whose figures would be read as letters. */
const GLUED_RATE = /(?<=\p{L}{3})(?=\d{1,2}(?:[.,]\d{1,2})?\s?%)/gu;

/** `GST INCL IN TOTAL  2.10`, `TOTAL INCLUDES GST OF 0.35`: the tax in it. */
const IN_TOTAL = /\bin\s+(?:the\s+)?total\b|\btotal\s+includes\b/i;

/** All labels that the words of a text carry. */
export function labelsOf(text: string): Set<Label> {
  const words = ` ${foldForOcr(text.replace(GLUED_CURRENCY, " $&").replace(GLUED_RATE, " ").replace(GLUED_WORDS, " "))} `;
  const wornWords = worn(words);
  const wornLetters = wornWords.replaceAll(" ", "");
  const apart = wornWords.trim().split(" ");
  const letterSet = lettersIn(wornLetters);
  const labels = new Set<Label>();
  for (const { label, words: word, letters, letterSet: wanted, isWorn, slack } of PATTERNS) {
    if (labels.has(label) || isTooDifferent(letterSet, wanted, slack ?? 0)) continue;
    const isThere =
      slack === null
        ? (isWorn ? wornWords : words).includes(word)
        : wornLetters.includes(letters) || (slack > 0 && containsFuzzyWord(apart, letters, slack));
    if (isThere) labels.add(label);
  }
  if (IN_TOTAL.test(text) && labels.has("tax")) labels.delete("total");
  if (PACK_SIZE.test(text)) labels.delete("total");
  if (STARRED_BALANCE.test(text)) labels.add("total");
  // `TOTAL (GST INCL)` is a total that includes tax, not the total of taxes.
  if (labels.has("taxTotal") && INCLUSIVE.test(words)) labels.delete("taxTotal");
  return labels;
}
