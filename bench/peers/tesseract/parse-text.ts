// Reads a receipt's text by regular expressions, line by line, as a team would that has OCR and needs the main fields.

export interface ParsedReceipt {
  readonly merchant: string | null;
  /** `YYYY-MM-DD` */
  readonly date: string | null;
  readonly totalMinor: number | null;
  readonly items: readonly { readonly name: string; readonly amountMinor: number }[];
}

const AMOUNT =
  /(-?)\s?(?:[£€$]|RM|EUR|GBP|USD)?\s?(\d{1,3}(?:[.,' ]\d{3})*|\d+)[.,](\d{2})(?!\d)[\s|.:]*-?\s*[A-Z*]{0,2}[\s|.:]*$/;
const TOTAL = /\b(grand\s*total|total|summe|gesamt(?:betrag)?|zu zahlen|amount due|balance due|to pay)\b/i;
const NOT_TOTAL =
  /\b(sub\s*-?total|zwischensumme|total (?:qty|quantity|items?|saving|discount|gst|tax|sr|excl)|netto|mwst)\b/i;
const NOT_ITEM =
  /\b(total|summe|gesamt|betrag|netto|brutto|mwst|ust|steuer|tax|gst|vat|cash|change|card|visa|master(?:card)?|tend(?:er)?ed|bar|r(?:ü|u)ckgeld|gegeben|round(?:ing)?|amount due|balance|payment|paid|zahlung|kartenzahlung|girocard|ec|rate|tel|invoice)\b/i;
const DATES = [
  { pattern: /\b(20\d{2})([-./])(\d{1,2})\2(\d{1,2})\b/g, order: [1, 3, 4] },
  { pattern: /\b(\d{1,2})([-./])(\d{1,2})\2(20\d{2}|\d{2})\b/g, order: [4, 3, 1] },
] as const;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const NAMED_MONTH = /\b(\d{1,2})[-. ]?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-. ,]*(20\d{2}|\d{2})\b/i;

export function parseText(text: string): ParsedReceipt {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const totalAt = lines.findIndex((line) => isTotal(line) && amountOf(line) !== null);
  return {
    merchant: merchantOf(lines),
    date: dateOf(text),
    totalMinor: totalOf(lines),
    items: itemsOf(totalAt < 0 ? lines : lines.slice(0, totalAt)),
  };
}

/** The first line that is mostly letters. */
function merchantOf(lines: readonly string[]): string | null {
  return (
    lines.slice(0, 6).find((line) => (line.match(/\p{L}/gu) ?? []).length >= Math.max(4, line.length * 0.6)) ?? null
  );
}

function dateOf(text: string): string | null {
  for (const { pattern, order } of DATES) {
    for (const found of text.matchAll(pattern)) {
      const date = toDate(found[order[0]]!, Number(found[order[1]]), Number(found[order[2]]));
      if (date) return date;
    }
  }
  const named = NAMED_MONTH.exec(text);
  return named && toDate(named[3]!, MONTHS.indexOf(named[2]!.toLowerCase()) + 1, Number(named[1]));
}

function toDate(year: string, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  const pad = (part: number): string => String(part).padStart(2, "0");
  return `${year.length === 2 ? `20${year}` : year}-${pad(month)}-${pad(day)}`;
}

/** The largest of the totals that are printed. */
function totalOf(lines: readonly string[]): number | null {
  const totals = lines
    .filter(isTotal)
    .map(amountOf)
    .filter((amount) => amount !== null);
  return totals.length === 0 ? null : Math.max(...totals);
}

function isTotal(line: string): boolean {
  return TOTAL.test(line) && !NOT_TOTAL.test(line);
}

/** Lines with a name and an amount; an amount without a name belongs to the line before. */
function itemsOf(lines: readonly string[]): { name: string; amountMinor: number }[] {
  return lines.flatMap((line, i) => {
    const amountMinor = amountOf(line);
    if (amountMinor === null || NOT_ITEM.test(line)) return [];
    const name = nameOf(line);
    if (isName(name)) return [{ name, amountMinor }];
    const before = lines[i - 1] ?? "";
    return amountOf(before) === null && isName(nameOf(before)) ? [{ name: nameOf(before), amountMinor }] : [];
  });
}

function nameOf(line: string): string {
  return line
    .replace(AMOUNT, "")
    .replace(/^\d+([.,]\d+)?\s*(x|@|kg|stk|pcs)\b.*$/i, "")
    .replace(/^[\d\s*.-]+/, "")
    .trim();
}

function isName(text: string): boolean {
  return (text.match(/\p{L}/gu) ?? []).length >= 3;
}

function amountOf(line: string): number | null {
  const found = AMOUNT.exec(line);
  if (!found) return null;
  const minor = Number(found[2]!.replace(/\D/g, "")) * 100 + Number(found[3]);
  return found[1] === "-" ? -minor : minor;
}
