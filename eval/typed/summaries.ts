import { randomness } from "../../src/receipts/samples/seeded-noise.ts";
import { inventedLanguage } from "./invented.ts";
import { printedSummary } from "./summary-print.ts";
import type { Row } from "./summary-print.ts";
import { printed, readTills } from "./summary-words.ts";
import type { RowKind, Till } from "./summary-words.ts";

// Receipts drawn by rule: a few goods, and below them what tills print between and around the sums, in any order that
// tills use. Much of it is neither charge nor tax: savings, points, balances, coupons, counts, tables of taxes, slips
// of cards, other currencies. The truth is what the rows were computed with.

/** A drawn receipt. */
export interface Summary {
  readonly country: string;
  readonly currency: string;
  readonly isInvented: boolean;
  readonly kinds: ReadonlySet<RowKind>;
  readonly print: string;
  /** What was to pay, and the amounts of the list, in units of money. */
  readonly total: number;
  readonly lines: readonly number[];
  /** Amounts that may be on the list or not: donations. */
  readonly optional: readonly number[];
}

/** What is drawn for one receipt. */
interface Draft {
  till: Till;
  random: () => number;
  isInvented: boolean;
  rows: Row[];
  lines: number[];
  optional: number[];
  kinds: Set<RowKind>;
  discounts: number;
  isCash: boolean;
}

/** Rows that are neither paid nor taken off. */
const INFORMATION: readonly RowKind[] = ["savings", "points", "balance", "coupon", "count"];

/** Receipts of each country's tills for a seed, and as many with the decimals of each in an invented language. */
const OF_EACH = 5;
const INVENTED_OF_EACH = 2;

/** Draws the receipts of a seed. `misread`: the share of the figures of goods, totals and payments that go wrong. */
export function drawnSummaries(seed: number, misread: number): Summary[] {
  const translated = inventedLanguage(seed);
  return readTills().flatMap((till, place) =>
    Array.from({ length: OF_EACH + (till.decimalMark === "" ? 0 : INVENTED_OF_EACH) }, (_, i) => {
      const own = 1_000_003 * seed + 1009 * place + i;
      const noise = randomness(own ^ 0x5eed);
      const isInvented = i >= OF_EACH;
      const drawn = drawnSummary(till, own, isInvented, (figures) => misreadFigures(figures, misread, noise));
      return isInvented ? { ...drawn, print: translated(drawn.print) } : drawn;
    }),
  );
}

/** What figures and marks are read for on worn paper, letters among them. `""`: nothing. */
const READ_FOR: Readonly<Record<string, readonly string[]>> = { "0": ["8", "6", "9", "O"], "1": ["7", "l", "4"], "2": ["7", "Z"], "3": ["8", "9", "5"], "4": ["1", "9"], "5": ["6", "3", "S"], "6": ["5", "8", "0"], "7": ["1", "2"], "8": ["3", "0", "6", "B"], "9": ["3", "0", "4", "8"], ".": [",", " ", ""], ",": [".", " ", ""] }; // prettier-ignore
/** Of figures that go wrong so many are lost altogether. */
const LOST_SHARE = 0.1;

function misreadFigures(figures: string, share: number, random: () => number): string {
  return Array.from(figures, (figure) => {
    if (random() >= share) return figure;
    return random() < LOST_SHARE ? "" : oneOf({ random }, READ_FOR[figure] ?? [figure]);
  }).join("");
}

/** Draws a receipt of a till. `isInvented`: its words will say nothing, so no row may depend on them alone. */
function drawnSummary(till: Till, seed: number, isInvented: boolean, misread: (figures: string) => string): Summary {
  const random = randomness(seed);
  const draft: Draft = {
    till,
    random,
    isInvented,
    rows: [],
    lines: [],
    optional: [],
    kinds: new Set(),
    discounts: 0,
    isCash: false,
  };
  drawGoods(draft);
  const goods = draft.lines.reduce((sum, line) => sum + line, 0);
  const sum = drawSums(draft, goods);
  const isPaid = random() < 0.9;
  draft.isCash = isPaid && random() < 0.4;
  const total = drawDue(draft, sum, isPaid);
  if (isPaid) drawPayment(draft, total);
  drawBelow(draft, goods, total, isPaid);
  const print = printedSummary(till, draft.rows, random, misread);
  const inMoney = (units: number): number => units / (till.decimalMark === "" ? 1 : 100);
  return {
    country: till.country,
    currency: till.currency,
    isInvented,
    kinds: draft.kinds,
    print,
    total: inMoney(total),
    lines: draft.lines.map(inMoney),
    optional: draft.optional.map(inMoney),
  };
}

function chance({ random }: Draft, share: number): boolean {
  return random() < share;
}

function oneOf<T>({ random }: Pick<Draft, "random">, all: readonly T[]): T {
  return all[Math.floor(random() * all.length)]!;
}

function whole({ random }: Draft, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}

/** A price: most end in 9, 5 or 0. */
function price(draft: Draft): number {
  const { till, random } = draft;
  const any = till.lowest + (till.highest - till.lowest) * random() ** 2;
  if (till.decimalMark === "") {
    const step = till.lowest >= 1000 ? 100 : 1;
    return step * Math.round(any / step) - (step === 1 && random() < 0.7 ? (Math.round(any) % 10) - 9 : 0);
  }
  const ending = random() < 0.75 ? oneOf(draft, [9, 9, 5, 0, 0]) : whole(draft, 0, 9);
  return Math.max(till.lowest, 10 * Math.floor(any / 10) + ending);
}

/** Adds a row with one of the words of its kind; its amount in the column, or where the word has its place. */
function add(draft: Draft, kind: RowKind, amount: number, at = draft.rows.length): boolean {
  const words = draft.till.words.get(kind);
  if (!words) return false;
  const text = oneOf(draft, words);
  const rate = String(oneOf(draft, draft.till.rates)).replace(".", draft.till.decimalMark || ".");
  const isNumber = INFORMATION.includes(kind) && text.includes("{n}");
  const filled = text
    .replace("{}", printed(draft.till, amount))
    .replace("{r}", rate)
    .replace("{n}", isNumber ? "{n}" : String(goodsOf(draft)));
  draft.rows.splice(at, 0, { kind, text: filled, amount: isNumber || text.includes("{}") ? null : amount });
  draft.kinds.add(kind);
  return true;
}

function goodsOf({ rows }: Draft): number {
  return rows.filter(({ kind }) => kind === "goods").length;
}

function drawGoods(draft: Draft): void {
  const names = [...draft.till.words.get("goods")!];
  const hasDiscounts = chance(draft, 0.25);
  for (let count = whole(draft, 2, 8); count > 0; count--) {
    const [name] = names.splice(whole(draft, 0, names.length - 1), 1);
    const one = price(draft);
    const pieces = chance(draft, 0.12) ? whole(draft, 2, 4) : 1;
    if (pieces > 1) draft.rows.push({ kind: "text", text: `${pieces} x ${printed(draft.till, one)}`, amount: null });
    draft.rows.push({ kind: "goods", text: name!, amount: pieces * one });
    draft.lines.push(pieces * one);
    if (hasDiscounts && chance(draft, 0.35)) takeOff(draft, "itemDiscount", pieces * one);
  }
}

/** Takes a tenth to a third off, in coins. */
function takeOff(draft: Draft, kind: "itemDiscount" | "discount" | "unsignedDiscount", from: number): number {
  const step = draft.till.decimalMark === "" ? Math.max(1, draft.till.coin) : 5;
  const off = Math.max(step, step * Math.round((from * (0.1 + 0.25 * draft.random())) / step));
  add(draft, kind === "unsignedDiscount" ? "discount" : kind, -off);
  if (kind === "unsignedDiscount") {
    draft.rows.at(-1)!.isUnsigned = true;
    draft.kinds.delete("discount");
    draft.kinds.add(kind);
  }
  draft.lines.push(-off);
  draft.discounts += off;
  return -off;
}

/** Draws subtotal, what is added and taken off, and the total; returns it. */
function drawSums(draft: Draft, goods: number): number {
  const start = draft.rows.length;
  const kinds: RowKind[] = [];
  if (chance(draft, 0.2)) kinds.push(!draft.isInvented && chance(draft, 0.25) ? "unsignedDiscount" : "discount");
  if (chance(draft, 0.1)) kinds.push("deposit");
  if (chance(draft, 0.05)) kinds.push("depositReturn");
  if (chance(draft, 0.08)) kinds.push("service");
  if (draft.till.isTaxOnTop) kinds.push("tax");
  if (chance(draft, 0.04)) kinds.push("donation");
  const hasSubtotal = kinds.length > 0 || chance(draft, 0.35);
  if (hasSubtotal) add(draft, "subtotal", goods);
  const sum = kinds.reduce((due, kind) => due + change(draft, kind, due), goods);
  if (hasSubtotal && !draft.till.isTaxOnTop && chance(draft, 0.1)) drawTaxes(draft, sum);
  // Between the sums, or right above the first of them.
  for (let some = oneOf(draft, [0, 0, 0, 1, 1, 2]); hasSubtotal && some > 0; some--)
    inform(draft, whole(draft, start + (chance(draft, 0.85) ? 1 : 0), draft.rows.length), sum);
  add(draft, "total", sum);
  return sum;
}

/** Adds a row that changes what is to pay, and returns by how much. */
function change(draft: Draft, kind: RowKind, due: number): number {
  const { till } = draft;
  if (kind === "discount" || kind === "unsignedDiscount") return takeOff(draft, kind, due);
  const unit = till.decimalMark === "" ? Math.max(5, till.coin) : 5;
  if (kind === "tax" || kind === "service") {
    const rate = kind === "tax" ? oneOf(draft, till.rates) : 10;
    const amount = Math.round((due * rate) / 100);
    const { length } = draft.rows;
    if (!add(draft, kind, amount)) return 0;
    const row = draft.rows[length]!;
    row.text = row.text.replace(/\d+(?:[.,]\d+)?(?=%)|(?<=%)\d+/, String(rate).replace(".", till.decimalMark || "."));
    return amount;
  }
  const amount = unit * whole(draft, 1, 8) * (till.lowest >= 1000 ? 5 : 1) * (kind === "depositReturn" ? -1 : 1);
  if (!add(draft, kind, amount)) return 0;
  // Without its word a charge may be for a bag or for the service.
  (kind === "donation" || draft.isInvented ? draft.optional : draft.lines).push(amount);
  return amount;
}

/** Countries that round what is paid by card as well. */
const ALWAYS_ROUNDED: ReadonlySet<string> = new Set(["in", "id"]);

/** Draws what comes between the total and the payment: a rounding, a tip, a later discount. Returns what is to pay. */
function drawDue(draft: Draft, total: number, isPaid: boolean): number {
  const { till } = draft;
  let due = total;
  const isCoined = till.coin > 1 && (draft.isCash || ALWAYS_ROUNDED.has(till.country)) && chance(draft, 0.8);
  const roll = draft.random();
  if (isCoined) due = till.coin * Math.round(total / till.coin);
  else if (roll < 0.05) due += change(draft, "discount", total);
  else if (roll < 0.09) due += change(draft, "deposit", total);
  else if (roll < 0.14 && till.words.has("tip")) {
    const tip = (till.decimalMark === "" ? 100 : 50) * whole(draft, 1, 10);
    if (chance(draft, 0.5) && till.words.has("suggested")) add(draft, "suggested", Math.round(total * 0.18));
    add(draft, "tip", tip);
    due += tip;
  }
  const isRounded = isCoined && due !== total && add(draft, "rounding", due - total);
  if (isCoined && !isRounded) due = total;
  if (due !== total && (!isRounded || !isPaid || chance(draft, 0.6))) add(draft, "toPay", due);
  if (chance(draft, 0.2)) inform(draft, draft.rows.length, due);
  return due;
}

function drawPayment(draft: Draft, due: number): void {
  const roll = draft.random();
  if (draft.isCash) {
    const notes = draft.till.decimalMark === "" ? [5, 10, 20, 50].map((one) => 100 * one) : [500, 1000, 2000, 5000];
    const note = notes[whole(draft, 0, 3)]! * (draft.till.lowest >= 800 ? 10 : 1);
    const given = note * Math.ceil(due / note);
    add(draft, "cash", given);
    if (chance(draft, 0.08)) inform(draft, draft.rows.length, due);
    if (given > due) add(draft, "change", given - due);
  } else if (roll < 0.13 && due > 4 * draft.till.lowest) {
    const part = Math.round(due * (0.2 + 0.5 * draft.random()));
    add(draft, "voucher", part);
    if (chance(draft, 0.3)) add(draft, "balance", whole(draft, 0, 1) * price(draft));
    add(draft, "card", due - part);
  } else if (roll < 0.21 && !draft.isInvented && draft.till.words.has("cashback")) {
    const more = 1000 * whole(draft, 1, 5);
    const isFirst = chance(draft, 0.5);
    if (isFirst) add(draft, "cashback", more);
    add(draft, "card", due + more);
    if (!isFirst) add(draft, "cashback", more);
  } else add(draft, "card", due);
}

/** Draws taxes, the card's slip, another currency and information below the payment. */
function drawBelow(draft: Draft, goods: number, due: number, isPaid: boolean): void {
  const below: (() => void)[] = [];
  if (!draft.till.isTaxOnTop && !draft.kinds.has("taxIn") && !draft.kinds.has("taxTable") && chance(draft, 0.6))
    below.push(() => drawTaxes(draft, draft.kinds.has("service") ? goods : due));
  if (isPaid && draft.kinds.has("card") && !draft.kinds.has("cashback") && !draft.kinds.has("voucher") && chance(draft, 0.35))
    below.push(() => drawSlip(draft, due)); // prettier-ignore
  if (chance(draft, 0.3)) below.push(() => add(draft, "other", Math.round(due * (0.2 + 2 * draft.random()))));
  for (let some = oneOf(draft, [0, 0, 1, 1, 2, 3]); some > 0; some--)
    below.push(() => inform(draft, draft.rows.length, due));
  below.sort(() => draft.random() - 0.5);
  for (const draw of below) draw();
} // prettier-ignore

function drawSlip(draft: Draft, due: number): void {
  draft.rows.push({ kind: "text", text: `AID: A00000000${whole(draft, 10000, 99999)}`, amount: null });
  add(draft, "slip", due);
  draft.rows.push({ kind: "text", text: `Auth ${whole(draft, 100000, 999999)}`, amount: null });
}

/** Draws taxes in the prices: a row each, or a table of them. */
function drawTaxes(draft: Draft, sum: number): void {
  const { till } = draft;
  const [rate, second] = [oneOf(draft, till.rates), oneOf(draft, till.rates)];
  const parts = rate === second ? [sum] : [Math.round(sum * 0.6), sum - Math.round(sum * 0.6)];
  const taxes = parts.map((gross, i) => {
    const percent = i === 0 ? rate : second;
    return { percent, gross, tax: Math.round((gross * percent) / (100 + percent)) };
  });
  const heads = till.words.get("tableHead");
  const text = (units: number): string => printed(till, units);
  if (heads && chance(draft, 0.55)) {
    draft.kinds.add("taxTable");
    if (chance(draft, 0.7)) draft.rows.push({ kind: "text", text: heads[0]!, amount: null });
    for (const [i, { percent, gross, tax }] of taxes.entries())
      draft.rows.push({ kind: "text", text: `${"AB"[i]} ${percent}%   ${text(gross - tax)}   ${text(tax)}   ${text(gross)}`, amount: null }); // prettier-ignore
    const all = taxes.reduce((total, { tax }) => total + tax, 0);
    const sums = till.words.get("tableSum");
    if (sums && chance(draft, 0.5))
      draft.rows.push({ kind: "text", text: `${oneOf(draft, sums)}   ${text(sum - all)}   ${text(all)}   ${text(sum)}`, amount: null }); // prettier-ignore
  } else for (const { tax } of taxes) add(draft, "taxIn", tax);
}

/** Adds a row that informs. Now and then it has the amount of something else on the receipt. */
function inform(draft: Draft, at: number, due: number): void {
  const kind = oneOf(draft, INFORMATION);
  if (draft.kinds.has(kind) && chance(draft, 0.7)) return;
  const other = oneOf(draft, [draft.lines[0]!, due, draft.lines.at(-1)!]);
  const saved = draft.discounts > 0 && chance(draft, 0.8) ? draft.discounts : null;
  const amount = Math.abs(kind === "savings" ? (saved ?? price(draft)) : chance(draft, 0.1) ? other : price(draft) + price(draft)); // prettier-ignore
  if (!add(draft, kind, amount, at)) return;
  const row = draft.rows[at]!;
  if (!row.text.includes("{n}")) return;
  const number = kind === "count" ? goodsOf(draft) : whole(draft, 1, 60) * (chance(draft, 0.4) ? 37 : 1);
  const figures = number < 1000 || chance(draft, 0.5) ? String(number) : `${Math.floor(number / 1000)}${draft.till.thousandsMark || "."}${String(number % 1000).padStart(3, "0")}`; // prettier-ignore
  row.text = row.text.replace("{n}", figures);
}
