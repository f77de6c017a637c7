import { SIGN, SIGN_BEHIND } from "../languages/currency-signs.ts";
import type { Cell, Row } from "./rows.ts";

// Menus print whole prices without cents (`2 x Flat White  $12`) above totals with them (`Total  $32.00`). Here they
// get the form of the totals.

/** A currency's sign and whole figures, or the other way round, and nothing else in the cell: `$12`, `12 €`. */
const WHOLE = new RegExp(
  String.raw`^-?(?:(?:[A-Z]{0,2}\$|${SIGN})\s?(?<before>\d{1,4})|(?<behind>\d{1,4})\s?${SIGN_BEHIND})$`,
  "i",
);
/** `32.00`, `19,00 €`. */
const DECIMAL_END = new RegExp(String.raw`(\d+)[.,](\d{2})(?:\s?(?:${SIGN}|${SIGN_BEHIND}))?$`, "i");
/** A single one may be a voucher's value: it must be printed with its cents, too. */
const ROWS_MIN = 2;

/** Returns the rows with cents added to whole amounts with a sign that end a row, where other rows end in cents. */
export function withCentsAdded(rows: readonly Row[]): Row[] {
  const whole = rows.filter(({ cells }) => cells.length > 1 && WHOLE.test(cells.at(-1)!.text));
  if (whole.length === 0) return [...rows];
  const ends = rows.flatMap(({ text }) => DECIMAL_END.exec(text) ?? []);
  const isRepeated = whole.some((row) => rows.some(({ text }) => isWithCents(text, figuresOn(row))));
  if (ends.length === 0 || (whole.length < ROWS_MIN && !isRepeated)) return [...rows];
  return rows.map((row) => {
    if (!whole.includes(row)) return row;
    const last = row.cells.at(-1)!;
    const cells: Cell[] = [...row.cells.slice(0, -1), { ...last, text: last.text.replace(/\d+/, "$&.00") }];
    return { ...row, cells, text: cells.map(({ text }) => text).join("  ") };
  });
}

/** Whether a row ends in these figures and no cents: `Total  $12.00`. */
function isWithCents(text: string, figures: string): boolean {
  const [, whole, cents] = DECIMAL_END.exec(text) ?? [];
  return whole === figures && cents === "00";
}

function figuresOn({ cells }: Row): string {
  const { before, behind } = WHOLE.exec(cells.at(-1)!.text)!.groups!;
  return (before ?? behind)!;
}
