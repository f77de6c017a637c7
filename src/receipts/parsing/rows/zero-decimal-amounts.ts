import { SIGN_BEHIND } from "../languages/currency-signs.ts";
import { anyUnitOf, anyWordOf } from "../languages/notation.ts";
import { COUNTRIES, CURRENCIES, measureWords, wordsOf } from "../languages/vocabulary.ts";
import type { Cell, Row } from "./rows.ts";

// Rupiah, dong, forints and pesos are printed without decimals: `15.500`, `15,500`, `1 749 Ft`. Here they get the form
// of other receipts (`15500,00`), so that no later pass needs to treat them specially.

/** `15,500` or `1.250.000`, separate from the text around it; not `0,512`, which is a weight. */
const GROUPED = String.raw`(?:(?<=\bRp\.?)|(?<![\w.,:/']|\d[-\s]))[1-9]\d{0,2}(?:[.,']\s?\d{3})+(?!\s?[.,:/]?\d|\s?%|\s?(?:kg|KG|gr?|ml|l|lt|ltr)\b)`;
/** With spaces: only if the page has the forint's sign, since elsewhere they are two numbers side by side. */
const SPACED = String.raw`(?<![\w.,:/']|\d[-\s])[1-9]\d{0,2}(?:\s\d{3})+(?!\s?[.,:/]?\d|\s?%|\s?(?:kg|KG|gr?|ml|l|lt|ltr)\b)`;
const PARTED = new RegExp(GROUPED, "g");
const PARTED_OR_SPACED = new RegExp(`${GROUPED}|${SPACED}`, "g");
/** A tax group as Hungarian tills print it behind the amount: `1 249  C00`. */
const TAX_GROUP = String.raw`[A-E][0O]{2}`;
const TAX_GROUP_CELL = new RegExp(`^${TAX_GROUP}$`);
/** Text that may follow the last amount of a row: a currency sign, a tax mark, dashes for the decimals. */
const ROW_END = String.raw`(?=(?:[.,]-+)?\s{0,2}(?:[A-Z]{1,3}|d|${TAX_GROUP}|${SIGN_BEHIND})?\s*$)`;
const SPACED_END = new RegExp(SPACED + ROW_END);
/** Not the number of a filling station: `SPBU 34.401.12`. */
const DECIMAL_END = /(?:(?<!\.\d{1,4})\d\.|(?<!,\d{1,4})\d,)\s?\d{2}(?:-?\s{0,2}[A-Z*]{0,3})\s*$/i;
/** A volume behind its unit: `Volume : (L) 20.05`. */
const MEASURE_END = new RegExp(String.raw`\((?:${anyUnitOf(measureWords("l"))})\)[\s:]*\d{1,3}[.,]\d{2}$`, "i");
/** Currencies that are printed without decimals. */
const WHOLE_CURRENCY = new RegExp(
  String.raw`\bRp(?![a-z])|\b(?:${CURRENCIES.flatMap(({ code, isWhole }) => (isWhole ? [code] : [])).join("|")})\b|${anyWordOf(wordsOf("wholeDocuments"))}`,
  "i",
);
const FORINT = /\d(?:[.,]-+)?\s?Ft\b|\bHUF\b/;
/** In capitals it may be feet (`EXT CORD 6 FT`): only if two rows have it behind a figure. */
const FORINT_CAPITALS = /\d\s?FT(?:\/\p{L}{1,3}\.?\s+-?\d[\d ]*|\s*$)/u;
const FORINT_ROWS_MIN = 2;
/** Amounts under a thousand have no separator. They have a currency sign, or are alone in a cell where amounts are. */
const MARKED = /(?<=\bRp\.?\s?|\bIDR\s?)\d{1,7}(?![\d.,])|(?<![\d.,]|\d\s)\d{1,7}(?=\s?F[tT]\b|\s?(?:IDR|HUF|VND)\b)/g;
const ALONE = new RegExp(String.raw`^-?[1-9]\d{1,2}(?=(?:\s(?:[A-Z]|${TAX_GROUP}))?$)`);
/** `0`, behind the name of what is free: `1 FREE TAKE AWAY BAG  0`. */
const NOTHING = /^(?:Rp\.?\s?)?0$/;
/** `2850 Ft`, without a mark between thousands: then `1950 C` is an amount, too. */
const BARE_FORINT = /(?<![\d.,]\s?)[1-9]\d{3,5}\s?Ft\s*$/;
const ALONE_BARE = new RegExp(String.raw`^-?[1-9]\d{1,5}(?=(?:\s(?:[A-Z]|${TAX_GROUP}))?$)`);
/** `490  B00`, alone on its row below the name. */
const ALONE_GROUPED = new RegExp(String.raw`^-?[1-9]\d{1,2}(?=\s{1,2}${TAX_GROUP}$)`);
/** The price of one piece behind its count: `10 DB X 49`. */
const PRICE_OF_PIECE = new RegExp(
  String.raw`(?<=^.*\d\s?(?:${anyUnitOf(wordsOf("pieces"))})\.?\s?[xX×*]\s?)[1-9]\d{1,2}$`,
  "i",
);
/** `28500` among `74,700`: the marks between thousands are only in the totals. Such prices end in 00 or 50. */
const ALONE_ROUND = /^-?[1-9]\d{1,4}[05]0$/;
/** `253,10` among thousands: its last zero was not read. Not a volume: `(L) 20.05`. */
const LOST_ZERO = /(?<![\d.,]|\)\s{0,2})[1-9]\d{0,2}[.,]\d{2}$/;
/** `12.-`, `45,--`: dashes for decimals, at the end; before a name such figures count (`1.- PAN`). */
const DASHED = new RegExp(String.raw`(?<=\d)([.,])\s?[-–]{1,2}(?=\s{0,2}${SIGN_BEHIND}?\s*$)`, "i");

/**
 * `22000`, without a separator: an amount if it ends a row, others end above each other, and the page has no decimals
 * at all.
 */
const BARE = /(?<=^|\p{L}.*\s|Rp\.?)-?[1-9]\d{2,6}$/u;
const BARE_ROWS_MIN = 3;
const TOTAL_WORD = new RegExp(anyWordOf(wordsOf("wholeTotals")), "i");
/** Right edges of bare amounts differ by less than this share of the width. Set by hand on the development receipts. */
const BARE_EDGE_SHARE = 0.08;

/**
 * Rows that must end in thousands, for each row that ends in decimals, and at all. Set by hand on the development
 * receipts.
 */
const WHOLE_SHARE_MIN = 4;
const WHOLE_ROWS_MIN = 2;
/** Where no sign is printed (`ÖSSZESEN  5 236`), words of this country count as one. */
const SPACED_COUNTRY = "HU";

/** Countries whose amounts have no decimals. */
const WHOLE_COUNTRIES: ReadonlySet<string> = new Set(
  CURRENCIES.filter(({ isWhole }) => isWhole).flatMap(({ code, countries = [] }) => [
    ...countries,
    ...COUNTRIES.filter(({ currency }) => currency === code).map((country) => country.code),
  ]),
);

/** Finds the country that texts speak for. */
type CountryFinder = (texts: readonly string[]) => string | null;

/**
 * Returns the rows with two decimals added to amounts that are printed without. Where the figures may be read either
 * way (`1,206`), the country that the receipt is likely from decides; where no row ends in decimals, that of its words
 * does, too.
 */
export function withDecimals(
  rows: readonly Row[],
  likelyCountry: string | null,
  countryIn: CountryFinder = () => null,
): Row[] {
  const style = styleOf(rows, likelyCountry, countryIn);
  const column = style === "bare" ? bareColumn(rows) : null;
  return rows.map((row) => {
    const last = row.cells.findLastIndex(({ text }) => !TAX_GROUP_CELL.test(text));
    const cells = row.cells.map((cell, i) => {
      const isLast = i === last;
      if (style === "summed") return isLast ? summedCell(cell) : cell;
      if (style === "colons") return isLast ? { ...cell, text: cell.text.replace(COLON, "$1.$2") } : cell;
      if (style !== "bare") return rewritten(cell, style, i > 0, i > 0 && isLast);
      return isLast && column && isWithin(row, column) ? { ...cell, text: cell.text.replace(BARE, "$&,00") } : cell;
    });
    return { ...row, cells, text: cells.map(({ text }) => text).join("  ") };
  });
}

/**
 * Returns the range of right edges of a page's bare amounts; null if it has none: they are above each other, most are
 * round, and a total is among them.
 */
function bareColumn(rows: readonly Row[]): { from: number; to: number } | null {
  const ends = rows.filter(({ text }) => BARE.test(text));
  const middle = ends.map(({ right }) => right).sort((a, b) => a - b)[ends.length >> 1] ?? 0;
  const reach =
    BARE_EDGE_SHARE * (Math.max(...rows.map(({ right }) => right)) - Math.min(...rows.map(({ left }) => left)));
  const column = { from: middle - reach, to: middle + reach };
  const bare = ends.filter((row) => isWithin(row, column));
  const round = bare.filter(({ text }) => /[05]0$/.test(text));
  const hasTotal = bare.some(({ text }) => TOTAL_WORD.test(text));
  return bare.length >= BARE_ROWS_MIN && 2 * round.length > bare.length && hasTotal ? column : null;
}

function isWithin({ right }: Row, { from, to }: { from: number; to: number }): boolean {
  return right >= from && right <= to;
}

/**
 * Whether most figures are round and high, as prices are where a thousand buys little. Otherwise the third decimal is a
 * mark read as a digit (`1,206`, `5,496`).
 */
function areRoundAndHigh(figures: readonly string[]): boolean {
  const isMostly = (pattern: RegExp): boolean =>
    2 * figures.filter((figure) => pattern.test(figure)).length > figures.length;
  return areHundreds(figures) || (isMostly(/0$/) && isMostly(/^\d{2}|^\d[.,]\d{3}[.,]/));
}

/** By chance a mark behind two decimals is read as a zero, and so is the figure before it, in fewer rows than this. */
const HUNDREDS_MIN = 4;

/** Amounts in dinars and rials have three decimals: their codes and signs, or an amount below one (`0.750`). */
const IN_THOUSANDTHS = /\b(?:BHD|KWD|OMR|JOD|TND|BD|KD|JD)\b|(?<![\d.,])0[.,]\d{3}$/;

/** Whether all figures are full hundreds: `2.500`, `3.500`, `6.000`, `10.000`. */
function areHundreds(figures: readonly string[]): boolean {
  return figures.length >= HUNDREDS_MIN && figures.every((figure) => /[.,]\d00$/.test(figure.trim()));
}

/** A whole amount at the end of a row, with marks between thousands or without, perhaps behind a currency. */
const WHOLE_END = /(?<=^|\s|[A-Za-z]{2}\.?|\p{Sc})-?(?:[1-9]\d{0,2}(?:[.,]\d{3})+|[1-9]\d{0,6})$/u;
/** Fewer amounts than this add up to one below them by chance. */
const SUMMED_MIN = 3;
/** Rows that are compared: no receipt has more goods. */
const SUMMED_ROWS_MAX = 200;

/**
 * Whether whole figures at the ends of rows are amounts, in any currency: a figure is the sum of those right above it,
 * of three at least.
 */
function areSummed(texts: readonly string[]): boolean {
  const values = texts
    .flatMap((text) => WHOLE_END.exec(text)?.[0] ?? [])
    .map((figure) => Number(figure.replace(/[.,]/g, "")))
    .slice(0, SUMMED_ROWS_MAX);
  return values.some((_, from) => {
    let sum = 0;
    return values.slice(from).some((value, i) => {
      if (i >= SUMMED_MIN && value === sum) return true;
      sum += value;
      return false;
    });
  });
}

function summedCell(cell: Cell): Cell {
  const text = cell.text.replace(WHOLE_END, (figure) => `${figure.replace(/[.,]/g, "")},00`);
  return { ...cell, text };
}

/**
 * How a page prints its amounts: with decimals (or dashes for them), perhaps behind colons; or without, with marks
 * between thousands, with marks or spaces, with neither (before a sign in the sums, or before none), or with either as
 * their sums show.
 */
type Style = "decimals" | "colons" | "whole" | "wholeSpaced" | "wholeBare" | "bare" | "summed";

/** `52:00`: an amount in some Swedish tills, alone in the last cell of a row. */
const COLON = /^(-?\d{1,5}):(\d{2})$/;
/** Fewer may be times. */
const COLON_ROWS_MIN = 3;

function styleOf(rows: readonly Row[], likelyCountry: string | null, countryIn: CountryFinder): Style {
  const texts = rows.map(({ text }) => text);
  const decimalRows = texts.filter((text) => DECIMAL_END.test(text) && !MEASURE_END.test(text)).length;
  const isSpacedCountry = (): boolean =>
    decimalRows === 0 &&
    texts.filter((text) => SPACED_END.test(text)).length >= WHOLE_ROWS_MIN &&
    countryIn(texts) === SPACED_COUNTRY;
  const isForint =
    texts.some((text) => FORINT.test(text)) ||
    texts.filter((text) => FORINT_CAPITALS.test(text)).length >= FORINT_ROWS_MIN ||
    isSpacedCountry();
  const whole = new RegExp((isForint ? `(?:${GROUPED}|${SPACED})` : GROUPED) + ROW_END);
  const figures = texts.flatMap((text) => whole.exec(text)?.[0] ?? []);
  const colonRows = rows.filter(({ cells }) => cells.length > 1 && COLON.test(cells.at(-1)!.text)).length;
  if (colonRows >= COLON_ROWS_MIN && colonRows > decimalRows) return "colons";
  if (figures.length === 0 && decimalRows === 0 && bareColumn(rows)) return "bare";
  const isNamed =
    isForint || texts.some((text) => WHOLE_CURRENCY.test(text)) || WHOLE_COUNTRIES.has(likelyCountry ?? "");
  const isOfWhole = (): boolean => decimalRows === 0 && WHOLE_COUNTRIES.has(countryIn(texts) ?? "");
  const isInThousandths = texts.some((text) => IN_THOUSANDTHS.test(text));
  const isMarked =
    figures.length >= WHOLE_ROWS_MIN && (isNamed || (!isInThousandths && areRoundAndHigh(figures)) || isOfWhole());
  if (decimalRows === 0 && !isMarked && !isInThousandths && areSummed(texts)) return "summed";
  if (
    isForint &&
    figures.length === 0 &&
    texts.filter((text) => BARE_FORINT.test(text)).length >= Math.max(WHOLE_ROWS_MIN, decimalRows)
  )
    return "wholeBare";
  if (figures.length < WHOLE_ROWS_MIN || figures.length < WHOLE_SHARE_MIN * decimalRows) return "decimals";
  if (!isMarked) return "decimals";
  return isForint ? "wholeSpaced" : "whole";
}

function rewritten(cell: Cell, style: Style, isBehind: boolean, isLast: boolean): Cell {
  if (style === "decimals") return { ...cell, text: cell.text.replace(DASHED, (_, mark: string) => `${mark}00`) };
  const text = cell.text
    .replace(/(?<=\d)[.,]-+/, "")
    .replace(style === "wholeSpaced" ? PARTED_OR_SPACED : PARTED, (figures) => `${figures.replace(/\D/g, "")},00`)
    .replace(MARKED, "$&,00")
    .replace(PRICE_OF_PIECE, "$&,00")
    .replace(ALONE_GROUPED, "$&,00");
  if (isBehind && isLast && NOTHING.test(text)) return { ...cell, text: `${text},00` };
  if (isLast && style === "wholeBare" && ALONE_BARE.test(text))
    return { ...cell, text: text.replace(ALONE_BARE, "$&,00") };
  if (isLast && ALONE.test(text)) return { ...cell, text: text.replace(ALONE, "$&,00") };
  if (isBehind && ALONE_ROUND.test(text)) return { ...cell, text: `${text},00` };
  return { ...cell, text: isLast && LOST_ZERO.test(cell.text) ? `${cell.text.replace(/[.,]/, "")}0,00` : text };
}
