import { labelsOf } from "../parsing/rows/labels.ts";
import type { Label } from "../parsing/rows/labels.ts";
import type { Place } from "./alignment.ts";

// The figures of a receipt by their meaning. A purchase has figures of its own: date, time of day, amounts. Other
// figures are the shop's (phone, VAT id), the till's (number of the terminal) or count receipts.

/** `sum`: an amount in a row of totals, taxes or payments. `shop`: of the shop or the till. `number`: any other. */
export type FigureKind = "date" | "time" | "line" | "sum" | "number" | "shop";

/** Figures of a text with their place among its digits. */
interface Figure {
  readonly kind: FigureKind;
  readonly digits: string;
  /** Number of digits of the text before it. */
  readonly from: number;
  /** The number of this receipt, by its label. */
  readonly isReceiptNumber: boolean;
}

const MONTH = String.raw`(?:JAN|F[EÉ][BV]|M[AÄ]R|A[PVB]R|MA[IYJ]|JU[NIL]|AUG|AG[OU]|SEP|O[CK]T|NOV|DE[CZ])\p{L}*`;
const DATE = String.raw`\d{1,4}\s?[./-]\s?\d{1,2}\s?[./-]\s?(?:20\d\d|\d\d)|\d{1,2}[ .-]{0,2}${MONTH}[ .,'-]{0,2}(?:20\d\d|\d\d)`;
const TIME = String.raw`(?<!\d)(?:[01]?\d|2[0-3])\s?[:hH]\s?[0-5]\d(?:\s?[:.]\s?\d\d)?(?!\d)`;
const MONEY = String.raw`\d{1,3}(?:[., ']\d{3})+(?:[.,]\d\d)?(?!\d)|\d+\s?[.,]\s?\d\d(?!\d)`;
/** A phone number has gaps. */
const NUMBER = String.raw`\d+(?:[ -](?!${DATE}|${TIME})\d+)*`;
const FIGURE = new RegExp(`(?<date>${DATE})|(?<time>${TIME})|(?<money>${MONEY})|${NUMBER}`, "giu");

/** Labels of rows whose amounts are no line's. */
const SUM_LABELS: readonly Label[] = [
  "total",
  "subtotal",
  "taxTotal",
  "tax",
  "rounding",
  "cash",
  "card",
  "change",
  "savings",
];

/**
 * Labels of figures that are the same on all receipts of a shop, a till or a card terminal, in the languages of the
 * service.
 */
const SHOP_LABEL =
  /\b(?:(?:TEL|PHONE|FON|FAX|HOTLINE|MOB|WHATSAPP|VAT|UST|UID|MWST|GST|SST|TAX|STEUER|CNPJ|NPWP|SIRE|TERM|MERCHANT|STORE|FILIALE|MAGASIN|COUNTER|CASHIER|KASS|CAISS|CASS|CAJ|SERVER|OPERATOR)\p{L}*|PH|HP|ID|TVA|IVA|BTW|MOMS|ALV|ATU|ABN|TIN|NIP|NIF|CIF|CUI|DIC|ICO|RE?G|ROC|CO|TID|MID|AID|POS|VU|MARKT|TILL)\b/iu;
/** Labels of the number of a receipt: another purchase has another one. */
const RECEIPT_LABEL =
  /(?:RECEIPT|RCPT|\bBON\b|BELEG|TICKET|FACTUR\p{L}*|INVOICE|\bINV\b|\bBILL\b|\bTRANS|\bTX|\bTRX|ORDER|\bCHECK\b|\bCHQ\b|\bDOC|SCONTRINO|PARAGON|KVITT|KUITTI|RECHNUNG|RACHUNEK|CUPOM|NOTA)/iu;

/** Returns the figures of a text. `row`: the text before it on its line and itself, for labels. */
function figuresOf(text: string, row: string): Figure[] {
  const before = row.endsWith(text) ? row.slice(0, row.length - text.length) : "";
  const isSum = lazy(() => {
    const labels = labelsOf(row);
    return SUM_LABELS.some((label) => labels.has(label));
  });
  let from = 0;
  let end = 0;
  return [...text.matchAll(FIGURE)].map((match) => {
    const digits = match[0].replace(/\D/g, "");
    const between = text.slice(end, match.index);
    const label = /\p{L}{2}/u.test(between) ? between : before + text.slice(0, match.index);
    const isReceiptNumber = RECEIPT_LABEL.test(label);
    const kind = kindOf(match, { label, isReceiptNumber, isSum, isAlone: text.trim() === match[0] });
    const figure = { kind, digits, from, isReceiptNumber } as const;
    from += digits.length;
    end = match.index + match[0].length;
    return figure;
  });
}

function kindOf(
  { groups: { date, time, money } = {} }: RegExpMatchArray,
  around: { label: string; isReceiptNumber: boolean; isSum: () => boolean; isAlone: boolean },
): FigureKind {
  if (date !== undefined) return "date";
  if (time !== undefined) return "time";
  if (money !== undefined) return around.isSum() ? "sum" : "line";
  if (around.isReceiptNumber) return "number";
  if (SHOP_LABEL.test(around.label)) return "shop";
  // Amounts of some currencies have no decimals.
  if (around.isSum()) return "sum";
  return around.isAlone && /\p{L}{3}/u.test(around.label) ? "line" : "number";
}

function lazy<Value>(compute: () => Value): () => Value {
  let value: { readonly of: Value } | null = null;
  return () => (value ??= { of: compute() }).of;
}

/** Returns the kinds of the figures in which the two texts of a place differ. */
export function changedFigures({ texts: [one, other], row }: Place): FigureKind[] {
  if (one === null || other === null) return [];
  const read = [figuresOf(one, row), figuresOf(other, row.slice(0, row.length - one.length) + other)] as const;
  // The text that was split better says what its digits are.
  const named = read.map((figures) => figures.filter(({ kind }) => kind !== "number").length);
  const figures = named[1]! > named[0]! ? read[1] : read[0];
  const [own, theirs] = read.map((each) => each.map(({ digits }) => digits).join("")) as [string, string];
  const isChanged =
    own.length === theirs.length ? differsAt(own, theirs) : differsWithin(own, theirs, figures === read[1]);
  return figures.filter(({ from, digits }) => isChanged(from, from + digits.length)).map(({ kind }) => kind);
}

/** Whether a text of a place has an amount. */
export function hasAmount({ texts: [one, other] }: Place): boolean {
  return [...(one ?? other ?? "").matchAll(FIGURE)].some(({ groups }) => groups?.["money"] !== undefined);
}

type IsChanged = (from: number, to: number) => boolean;

function differsAt(own: string, theirs: string): IsChanged {
  return (from, to) => own.slice(from, to) !== theirs.slice(from, to);
}

/** With digits added or lost: what is between the common beginning and the common end. */
function differsWithin(own: string, theirs: string, isOfTheirs: boolean): IsChanged {
  const shorter = Math.min(own.length, theirs.length);
  let start = 0;
  while (start < shorter && own[start] === theirs[start]) start++;
  let end = 0;
  while (end < shorter - start && own.at(-1 - end) === theirs.at(-1 - end)) end++;
  const last = (isOfTheirs ? theirs : own).length - end;
  // The figure at which digits are missing is the one that ends or begins there.
  return (from, to) => (start < last ? from < last && to > start : from <= start && to >= last);
}

/** Properties of the print that both receipts have in common. */
export interface Common {
  /** A time of day is printed equally on both. */
  readonly hasTime: boolean;
  /** A number of the receipt, named so, is printed equally on both. */
  readonly hasReceiptNumber: boolean;
  /** A number that may count receipts is printed equally on both. */
  readonly hasNumber: boolean;
  /** The amount of a line is printed equally on both. */
  readonly hasLine: boolean;
}

/** Shorter numbers count pieces, or are of a till. */
const NUMBER_DIGITS_MIN = 3;

/** Returns what the equally read places have in common. */
export function commonFigures(places: readonly Place[]): Common {
  const figures = places.flatMap(({ texts: [one, other], row, isSameText }) => {
    if (!isSameText || one === null || one.replace(/\D/g, "") !== other?.replace(/\D/g, "")) return [];
    return figuresOf(one, row);
  });
  const numbers = figures.filter(({ kind, digits }) => kind === "number" && digits.length >= NUMBER_DIGITS_MIN);
  return {
    hasTime: figures.some(({ kind }) => kind === "time"),
    hasReceiptNumber: numbers.some(({ isReceiptNumber }) => isReceiptNumber),
    hasNumber: numbers.length > 0,
    hasLine: figures.some(({ kind }) => kind === "line"),
  };
}

/** The differences of two receipts. */
export interface Differences {
  /** Kinds of the figures that differ, one for each place. */
  readonly figures: readonly FigureKind[];
  /** Number of names of lines that differ. */
  readonly names: number;
}

/**
 * Counts in how many ways of its own the purchase differs. Another purchase at the same till has another time and
 * another number, or other lines and another sum. One of them alone is a painted or a misread figure: a sum differs
 * without a line, or a time without a number. Figures of the shop and the till count for nothing.
 */
export function waysApart({ figures, names }: Differences, common: Common): number {
  const count = (kind: FigureKind) => figures.filter((figure) => figure === kind).length;
  const lines = count("line") + names;
  const sums = count("sum");
  // Lines that are all the same have the same sum, so another sum alone was painted or misread.
  const money = lines > 0 ? Math.min(2, lines + Math.min(1, sums)) : sums > 0 && !common.hasLine ? 1 : 0;
  return Math.min(1, count("date")) + Math.min(1, count("time")) + Math.min(1, count("number")) + money;
}

/** Whether receipts with these differences are of two purchases, though the print is where it was in both pictures. */
export function isOtherPurchase(differences: Differences, common: Common): boolean {
  const ways = waysApart(differences, common);
  if (ways !== 1) return ways > 1;
  const { figures } = differences;
  // Without a time of day in common, the number is what distinguishes two coffees of one day; without any number, the
  // time.
  if (figures.includes("number")) return !common.hasTime;
  return !common.hasNumber && (figures.includes("time") || figures.includes("date"));
}

/**
 * The same for two photos with different angles, where misread digits look like other ones: here one way is
 * enough, unless both have the same number of the receipt, or differ in such numbers only.
 */
export function isOtherPurchaseOnPaper(differences: Differences, common: Common): boolean {
  if (isOtherPurchase(differences, common)) return true;
  const { figures } = differences;
  if (figures.includes("date")) return true;
  const isOwn = figures.some((kind) => kind === "time" || kind === "line" || kind === "sum");
  return isOwn && !common.hasReceiptNumber;
}
