import { SIGN, SIGN_BEHIND } from "../languages/currency-signs.ts";
import { labelsOf } from "./labels.ts";
import type { Cell, Row } from "./rows.ts";

// Menus print whole prices without cents (`2 x Flat White  $12`) above totals with them (`Total  $32.00`), and some
// without a sign (`Cappuccino  180`, `Total: Rs.180.00`). Here they get the form of the totals.

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
  if (whole.length === 0) return withCentsAt(rows, bareSummed(rows));
  const ends = rows.flatMap(({ text }) => DECIMAL_END.exec(text) ?? []);
  const isRepeated = whole.some((row) => rows.some(({ text }) => isWithCents(text, figuresOn(row))));
  if (ends.length === 0 || (whole.length < ROWS_MIN && !isRepeated)) return [...rows];
  return withCentsAt(rows, whole);
}

function withCentsAt(rows: readonly Row[], whole: readonly Row[]): Row[] {
  return rows.map((row) => {
    if (!whole.includes(row)) return row;
    const last = row.cells.at(-1)!;
    const cells: Cell[] = [...row.cells.slice(0, -1), { ...last, text: last.text.replace(/\d+/, "$&.00") }];
    return { ...row, cells, text: cells.map(({ text }) => text).join("  ") };
  });
}

/** Whole figures alone in the last cell of a row. */
const BARE = /^[1-9]\d{0,4}$/;

/** Returns the rows right above the first amount with cents whose whole figures at the end add up to it. */
function bareSummed(rows: readonly Row[]): Row[] {
  const end = rows.findIndex(({ text }) => DECIMAL_END.test(text));
  const [, sum, cents] = DECIMAL_END.exec(rows[end]?.text ?? "") ?? [];
  // `Table  4`, `Guests  2` above `Water  6.00` add up by chance.
  if (cents !== "00" || !labelsOf(rows[end]!.text).has("total")) return [];
  let left = Number(sum);
  const found: Row[] = [];
  for (const row of rows.slice(0, end).toReversed()) {
    const last = row.cells.at(-1)!.text;
    if (row.cells.length < 2 || !BARE.test(last)) continue;
    found.push(row);
    left -= Number(last);
    if (left <= 0) break;
  }
  return left === 0 ? found : [];
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
