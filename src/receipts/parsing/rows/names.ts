import { SIGN, SIGN_BEHIND, UNIT_PRICE_LETTER, UNIT_PRICE_SIGN, WORD_FOR_SIGN } from "../languages/currency-signs.ts";
import { withDigitsRestored } from "./amounts.ts";
import type { PrintedAmount } from "./amounts.ts";
import { anyUnitOf } from "../languages/notation.ts";
import { measureWords, wordsOf } from "../languages/vocabulary.ts";

// Finds the name on an item's row by removing everything else: running numbers, product codes, quantities, unit prices,
// amounts, tax marks.

const PRICE_TEXT = String.raw`(?:${SIGN}|${WORD_FOR_SIGN}(?=\s?\d)|${UNIT_PRICE_LETTER}(?=\d)|(?<=[x×X*@]\s{0,2})${UNIT_PRICE_SIGN}\.?(?=\s?\d))?\s?\d{1,7}\s?[.,]\s?\d{2,4}`;
const LITRES = anyUnitOf(measureWords("l"));
const PIECE_TEXT = String.raw`(?:ea|${anyUnitOf(wordsOf("pieces"))})\.?`;
/**
 * A count or weight. A weight has decimals or a space before its unit; otherwise it is the size of the pack (`CILI 1KG
 * @19.50`).
 */
const COUNT_TEXT = String.raw`(?:\d{1,4}[.,]\d{1,4}\s{0,2}(?:kg|g|lbs?|1b|oz|l|lt|ltr|${LITRES}|${PIECE_TEXT})?|\d{1,4}(?:\s(?:kg|g|lbs?|oz))?|\d{1,4}\s?${PIECE_TEXT})`;
/** The unit of a price: `/kg`, `per lb`. */
const PER_TEXT = String.raw`(?:\/\s?\w+|(?:${anyUnitOf(wordsOf("perWords"))})\s(?:${anyUnitOf(wordsOf("perUnits"))})(?!\w))`;
/** A count or weight with its unit, in a column of its own: `2,00 st`, `0,850 kg`. */
const MEASURE_TEXT = String.raw`\d{1,4}[.,]\d{1,4}\s{0,2}(?:kg|${anyUnitOf(wordsOf("pieces"))})\.?(?!\w)`;
/** `2 x 1.50`, `0,410 kg x 1,99 EUR/kg`, `@0.5500`, `3,29 x 2`, `*4`; `6x0,75 l` is a pack. */
const QUANTITY_TEXTS = [
  new RegExp(String.raw`(?<![\w.,])\d{1,3}\s*(?:AT|@)\s*\d{1,2}\s*F[O0]R\s*(?:${PRICE_TEXT})?`, "gi"),
  new RegExp(
    String.raw`@?\s?(?<![\w.,])${COUNT_TEXT}(?:\s?net)?\s{0,2}[x×X*@àá]\s{0,2}@?\s?${PRICE_TEXT}(?!\s?[cm]?l\b)(?:\s?(?:[A-Z]{2,3}|${SIGN})?\s?${PER_TEXT})?(?:\s?\(\d{1,4}[.,]\d{1,2}\))?`,
    "gi",
  ),
  new RegExp(String.raw`(?<![\w.,])${PRICE_TEXT}\s*[x×X*]\s*\d{1,3}(?:\s?${PIECE_TEXT})?(?![\w.,])`, "g"),
  new RegExp(String.raw`[@#]\s?${PRICE_TEXT}(?:\s?${PER_TEXT})?`, "g"),
  // Fuel: tenths of a penny a litre.
  /@\s?\d{1,3}[.,]\d(?!\d)\s?p?(?:\s?\/\s?\w+)?|(?<![\w.,])\d{1,3}[.,]\d{2,3}\s?(?:lit(?:re|er)s?|ltrs?|gal\w*)\b/gi,
  // `33,15 L x 599,9 Ft/L`: tenths of a forint.
  new RegExp(
    String.raw`(?<![\w.,])\d{1,3}[.,]\d{1,3}\s?(?:${LITRES})\s{0,2}[x×*]?\s{0,2}\d{1,4}[.,]\d{1,2}\s?(?:${SIGN_BEHIND})?\s?\/\s?(?:${LITRES})(?!\w)`,
    "gi",
  ),
  /(?<!\S)[*×xX]\s?\d{1,3}(?=\s|$)/g,
];
/** A discount that is in the price beside it: `(disc 10%)`. */
const DISCOUNT_TEXT = /(?<=\S.*)\(?\s?disc\s?:?\s?[\d.,]+%?\s?\)?/gi;
/**
 * A running number or count before the name: `1)`, `2 x`, `12x`. A bare count is removed only if the receipt has a
 * column of counts.
 */
const LEADING_COUNT = /^\s*(?:\d{1,3}\s?[).:]\s+|\d{1,3}\s?[x×X*]\s+|\d{1,3}[x×X*](?=[A-Z0-9]))/;
/**
 * A product code: four digits or more, or a mix of letters with three digits or more (`E8318`, `FM411000055`); of
 * clothes with its colour and size (`686AT-08X-XXL`).
 */
const CODE =
  /^\/?(?:[A-Z]{0,4}\d{4,}[A-Z]?|[A-Z]\d{3,}|\d{3,}[A-Z]\d*|\d{2,}-\d{2,}|(?=\S*\d{3})[A-Z\d]{4,}-[A-Z\d]{2,4}-[A-Z\d]{1,4})$/;
/** A long code with letters for some of its figures: `O119922`, `98O440011`, `A0l2745033`. */
const MISREAD_CODE = /^(?=(?:\D{0,3}\d){4})(?=.*[OolISB])[A-Z]{0,2}[\dOolISB]{6,}$/;

/** Returns whether a word is a code, perhaps with its count before it or a dash behind: `(2)06340011`, `I0010003-`. */
function isCode(word: string | undefined): boolean {
  const code = word?.replace(/^\(\d{1,2}\)|-$/g, "");
  return code !== undefined && (CODE.test(code) || MISREAD_CODE.test(code));
}

/** A count before the name, perhaps with its unit, where the receipt has a column of counts: `2 ks Cappuccino`. */
const COUNT_IN_FRONT = new RegExp(
  String.raw`^\s*\d{1,3}\s+(?:(?:${anyUnitOf(wordsOf("pieces"))})\.?\s+(?=\S*\p{L}{3}))?(?=\S*[A-Za-z])`,
  "iu",
);
/** A weight in the column of counts: `0,580  GAMBON`. */
const WEIGHT_IN_FRONT = /^\s*\d{0,2}[.,]\d{3}\s+(?=\S*\p{L}{3})/u;
/**
 * A count in pieces or a weight, and the price of one, in columns behind the name: `6 ud  0,89`, `6 ud 0,89 €/u`,
 * `0,912 kg 2,19 €/kg`, `22,50  1 st`.
 */
const PIECES_AND_PRICE = new RegExp(
  String.raw`(?<=\p{L}.*\s)(?:(?:\d{1,3}\s?(?:${anyUnitOf(wordsOf("pieces"))})\.?|\d{1,3}[.,]\d{3}\s?kg)\s+${PRICE_TEXT}(?:\s?${SIGN_BEHIND}(?![A-Za-z]))?(?:\s?${PER_TEXT})?|${PRICE_TEXT}\s+\d{1,3}\s?(?:${anyUnitOf(wordsOf("pieces"))})\.?)\s*$`,
  "iu",
);
/** A code in brackets behind a name, with its label: `(Código: 21468)`, `(SKU: 4410)`. */
export const LABELLED_CODE = /\s?\(\s?\p{L}{2,8}\.?\s?:\s?[\p{L}\d]+\s?\)/u;
/** A tax mark before a code (`SR0 9555544201075`). */
const TAX_MARK = /^(?:SR|ZR|ZRL|ZRE|S|Z|T|SR0|ZR0|SRO|ZRO|\*|#)$/;
/** Marks that are words of other languages, too (`ES TEH MANIS`): only before a code. */
const WORD_MARK = /^(?:OS|ES)$/;

const COUNT_COLUMN = new RegExp(
  String.raw`(?<=\p{L}\S*)\s{2,}\d{1,3}\s?(?:${anyUnitOf(wordsOf("pieces"))})\.?\s*$`,
  "iu",
);

/** A tax mark or rate in a column of its own behind the name: `NF`, `T`, `4%`, `4,00%`; `HMRJ` of Canadian grocers. */
const TAX_COLUMN =
  /\s{2,}(?:[A-Z]|NF|FS|TX|FT|\d{1,2}\s?%|%\s?\d{1,2})\s*$|\s+(?:\d{1,2}[.,]\d{2}\s?%|[GHP]{0,2}MRJ)\s*$/;

/** A column of figures at the end: quantity, unit price, discount, tax mark (`A00`), the tax in it (`(0,91)`). */
const LAST_FIGURES_TEXT = String.raw`(?:[A-E][0O]{2}|${MEASURE_TEXT}|\(\d{1,4}[.,]\d{1,2}\)|${PRICE_TEXT}(?:\s?${SIGN_BEHIND}(?![A-Za-z]))?|\d{1,3}(?:[.,]\d{1,3})?|SR|ZR|ZRL|${SIGN})\s*$`;
const LAST_FIGURES = new RegExp(String.raw`\s+${LAST_FIGURES_TEXT}`, "i");
/**
 * The name of an offer may end in figures (`STAFF DISC 10%`, `MEAL DEAL £3.99`): only figures with a gap before them
 * are a column.
 */
const LAST_FIGURES_APART = new RegExp(String.raw`\s{2,}${LAST_FIGURES_TEXT}`, "i");

/**
 * Returns the name on an item's row as printed, without codes, quantity, prices and tax marks; empty if it has none.
 */
export function nameOn(text: string, amount: PrintedAmount | null, hasCountColumn: boolean): string {
  const isTakenOff = amount !== null && amount.minor < 0;
  let name = amount === null ? text : text.slice(0, amount.start);
  name = withoutBareCount(name, amount).replace(PIECES_AND_PRICE, "").replace(LABELLED_CODE, "");
  name = withoutQuantities(name, isTakenOff ? QUANTITY_TEXTS : [...QUANTITY_TEXTS, DISCOUNT_TEXT]);
  name = withoutLastFigures(name, isTakenOff ? LAST_FIGURES_APART : LAST_FIGURES);
  name = name
    .replace(/\s+[x×]\s*$|[\s*]+$/u, "")
    .replace(TAX_COLUMN, "")
    .replace(LEADING_COUNT, "");
  if (hasCountColumn) name = name.replace(COUNT_IN_FRONT, "").replace(WEIGHT_IN_FRONT, "");
  // A weight that the OCR joined to the name: sizes of packs don't have three decimals.
  name = name.replace(/(?<=\p{L})\d{1,2}[.,]\d{3}\s?kg\s*$/iu, "");
  // A batch number and its best-before month.
  name = name.replace(/\s{2,}\S+\s{2,}\d{2}\/\d{2,4}\s*$/, "");
  // A tax mark before the name (`A: IBUPROM`, `C00 TEJ`, `(C) AGUA`, `C_SER`), and the unit of sale behind it
  // (`Hljeb/kom`).
  name = name
    .replace(/^\s*(?:(?:[A-Z]:|[A-E][0O]{2}|[BCE]DD|\([A-Z]\))\s+|[A-G]_)(?=\S*\p{L}{2})/u, "")
    .replace(SOLD_BY, "");
  name = withoutMarkBehind(name, amount === null ? "" : text.slice(amount.end));
  // A column of article numbers behind the names, perhaps with a mark: `SPARKA soft toy   21394`, `+EHC  74127  DP`.
  name = name.replace(/(?<=\p{L}{2}.*)\s{2,}\d{4,6}(?:\s{1,2}[A-Z]{2})?\s*$/u, "");
  name = withoutTakenOff(name, amount);
  // A code that the OCR joined to the name.
  name = name.replace(/^\s*\d{5,17}(?=\p{L}{3})/u, "");
  // A count in pieces with its tax mark behind the name: `LEITE INTEG 1L  1UN F`.
  name = name.replace(/(?<=\p{L}\S*)\s+(?:\d{1,3}\s?UN(?:\s?[A-Z])?|UND?\s?\d{1,2})\s*$/u, "");
  // A count in a column of its own, its price on the next row: `Retek  2 db`; a short code in brackets: `Bier  (226)`.
  name = name.replace(COUNT_COLUMN, "").replace(/(?<=\p{L}\S*)\s{2,}\(\d{3,6}\)\s*$/u, "");
  const words = name.split(/\s+/).filter(Boolean);
  // `E 1234567 ORG MILK`, `001 7891000 LEITE`: a mark or a running number before the code.
  if (/^(?:[A-Z*]|\d{1,3})$/.test(words[0] ?? "") && isCode(words[1])) words.shift();
  // `003 884 PAO`: a running number of three figures and a short code.
  if (/^0\d{2}$/.test(words[0] ?? "") && /^\d{2,3}$/.test(words[1] ?? "") && words.length > 2) words.splice(0, 2);
  if (WORD_MARK.test(words[0] ?? "") && CODE.test(words[1] ?? "")) words.shift();
  while (words.length > 0 && (isCode(words[0]) || (words.length > 1 && TAX_MARK.test(words[0]!)))) words.shift();
  // `GV WHL MILK 007874235186 F`: a code behind the name, with a mark of one letter.
  const code = words.findIndex((word, i) => i > 0 && /^\d{6,}[A-Z]{0,2}$/.test(word));
  if (code > 0 && words.slice(code + 1).every((word) => word.length === 1)) words.length = code;
  return joined(words.join(" "));
}

/** The unit that goods are sold by, behind their name, perhaps with a tax mark: `/kom`, `/KG (E)`. */
const SOLD_BY = new RegExp(
  String.raw`(?<=\p{L}\S*|%|\s{2})\s?\/\s?(?:kg|${anyUnitOf(wordsOf("pieces"))})\.?(?:\s\([A-ZĐ]{1,2}\))?\s*$`,
  "iu",
);
/** A count and the price of one without marks between thousands, before their product: `MIE GORENG 5 3100  15.500`. */
const BARE_COUNT = /(?<=\p{L}.*)\s+(\d{1,3})\s+(\d{3,7})\s*$/u;

/** Returns a name without a count and the price of one whose product is the amount. */
function withoutBareCount(name: string, amount: PrintedAmount | null): string {
  const [all, count, price] = BARE_COUNT.exec(name) ?? [];
  if (!all || amount === null || Number(count) * Number(price) * 100 !== amount.minor) return name;
  return name.slice(0, -all.length);
}

/** Returns the name of a discount without its own amount, printed before it, too: `Diskon 5000  -5000`. */
function withoutTakenOff(name: string, amount: PrintedAmount | null): string {
  const [all, whole] = /\s+(\d{3,7})(?:,00)?\s*$/.exec(name) ?? [];
  return all && amount !== null && Number(whole) * 100 === -amount.minor ? name.slice(0, -all.length) : name;
}

/** Returns a name without the tax mark behind it, in brackets or as behind the amount: `SER GOUDA C  8,05 C`. */
export function withoutMarkBehind(name: string, behind: string): string {
  const mark = /^\s?([A-G])\s*$/.exec(behind)?.[1];
  const bare = name.replace(/(?<=\p{L}\S*\s)\([A-G]\)\s*$/u, "");
  return mark === undefined ? bare : bare.replace(new RegExp(String.raw`(?<=\p{L}{2}.*)\s+${mark}\s*$`, "u"), "");
}

const SIGN_AT_END = new RegExp(String.raw`\s+${SIGN}\s*$`);

/** Removes columns of figures from the end, one by one: one pattern for all of them would backtrack too much. */
function withoutLastFigures(text: string, column: RegExp): string {
  const readable = withDigitsRestored(text);
  let end = readable.length;
  for (let last = column.exec(readable); last; last = column.exec(readable.slice(0, end))) end = last.index;
  const figures = readable.slice(end);
  // A single figure may belong to the name: `SEVEN UP 7`.
  if (/[.,]\d{2}|\s{2}\d|SR|ZR|\s[A-E][0O]{2}\s*$/.test(figures)) return text.slice(0, end);
  return text.slice(0, end + figures.replace(SIGN_AT_END, "").length);
}

function withoutQuantities(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((rest, pattern) => {
    const readable = withDigitsRestored(rest);
    return [...readable.matchAll(pattern)].reduceRight(
      (left, { index, 0: match }) => left.slice(0, index) + " " + left.slice(index + match.length),
      rest,
    );
  }, text);
}

/** Removes spaces that the OCR put before marks (`GEFL ./HAHN` → `GEFL./HAHN`), and ornaments. */
function joined(text: string): string {
  return text
    .replace(/\s+([.,;:](?=\S))/g, "$1")
    .replace(/^[\s.,:;*_=~#^-]+|[\s,:;*_=~-]+$/g, "")
    .replace(/\s{2,}/g, " ");
}

/**
 * Words of columns inside the list (`kg  EUR/kg  EUR`) and of quantities (`0.612 kg NET`, `Tare Weight 0.02 lb`, `Qty 3
 * each`).
 */
const COLUMN_WORDS = new RegExp(
  String.raw`(?<![\p{L}])(?:${anyUnitOf(wordsOf("columnWords"))}|${SIGN})(?![\p{L}])`,
  "giu",
);

/** Currencies and signs for times, as are left of a price under its name: `Rp`, `@ Rp 23.000 Rp`, `x 149 Ft`. */
const PRICE_WORDS = new RegExp(String.raw`(?<!\p{L})(?:${SIGN}|${SIGN_BEHIND}|[x×])(?!\p{L})`, "giu");

/** `7-UP`. */
const FIGURE_AND_LETTERS = /^\d-\p{L}{2}$/u;

/** Whether a text can be a name: three letters at least, or two that make up most of it. */
export function isName(text: string): boolean {
  if (!/\p{L}/u.test(text.replace(PRICE_WORDS, ""))) return false;
  const letters = text.replace(COLUMN_WORDS, "").replace(/[^\p{L}]/gu, "").length;
  return letters >= 3 || (letters === 2 && (text.length <= 3 || FIGURE_AND_LETTERS.test(text)));
}
