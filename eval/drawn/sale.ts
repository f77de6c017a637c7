import { GOODS } from "./goods.ts";
import type { Goods } from "./goods.ts";
import type { Random } from "./random.ts";

/** How a line's amount came about. */
export type Measure =
  | { kind: "one" }
  | { kind: "count"; count: number; unitMinor: number }
  | { kind: "weight"; grams: number; perKgMinor: number };

/** One line of goods; a discount on it stands on a row of its own below. */
export interface SaleLine {
  name: string;
  amountMinor: number;
  measure: Measure;
  taxMark: string;
  discount: { label: string; amountMinor: number } | null;
  /** Taken back: a row with the negative amount follows. */
  isVoided: boolean;
}

/** What was bought, when, and how it was paid. */
export interface Sale {
  lines: SaleLine[];
  /** Of the whole sale, after its lines. */
  endDiscounts: { label: string; amountMinor: number }[];
  /** Lines, discounts and voids together. */
  sumMinor: number;
  date: { year: number; month: number; day: number };
  time: { hour: number; minute: number; second: number };
  cardLast4: string;
}

/** How a layout's sales are. */
export interface SaleHabit {
  language: keyof typeof GOODS;
  goods?: keyof Goods;
  lines?: readonly [number, number];
  taxMarks?: readonly string[];
  discountLabels?: readonly string[];
  endDiscountLabels?: readonly string[];
  discountShare?: number;
  weightShare?: number;
  voidShare?: number;
  nameLength?: number;
  /** Prices end on these. */
  endings?: readonly number[];
  /** Prices are about so many times those of Europe. */
  priceLevel?: number;
}

const ENDINGS = [0, 5, 9, 9, 9, 5, 49, 99, 99, 99, 29, 79, 19, 89, 25, 50];

/** A random sale of the habit. */
export function saleBy(random: Random, habit: SaleHabit): Sale {
  const kind = habit.goods ?? "shelf";
  const goods = GOODS[habit.language];
  const [low, high] = habit.lines ?? [2, random.chance(0.2) ? 28 : 13];
  const names = random.some(goods[kind], random.int(low, high));
  const weighed = kind === "shelf" ? random.some(goods.scales, names.length) : [];
  const lines = names.map((shelf, i): SaleLine => {
    const isWeighed = i < weighed.length && random.chance(habit.weightShare ?? 0.12);
    const name = (isWeighed ? weighed[i]! : shelf).slice(0, habit.nameLength ?? 40);
    const unitMinor = priceBy(random, habit);
    const measure: Measure = isWeighed
      ? { kind: "weight", grams: random.int(105, 1900), perKgMinor: priceBy(random, habit) }
      : random.chance(0.15)
        ? { kind: "count", count: random.int(2, random.chance(0.1) ? 12 : 4), unitMinor }
        : { kind: "one" };
    const amountMinor =
      measure.kind === "one"
        ? unitMinor
        : measure.kind === "count"
          ? measure.count * measure.unitMinor
          : Math.max(5, Math.round((measure.grams * measure.perKgMinor) / 1000));
    const hasDiscount = (habit.discountLabels ?? []).length > 0 && random.chance(habit.discountShare ?? 0.1);
    const isVoided = !hasDiscount && random.chance(habit.voidShare ?? 0);
    return {
      name,
      amountMinor,
      measure,
      taxMark: random.pick(habit.taxMarks ?? [""]),
      discount: hasDiscount
        ? { label: random.pick(habit.discountLabels!), amountMinor: -Math.max(5, Math.round(amountMinor * random.within(0.1, 0.4))) }
        : null,
      isVoided,
    }; // prettier-ignore
  });
  const listMinor = lines.reduce(
    (sum, l) => sum + (l.isVoided ? 0 : l.amountMinor) + (l.discount?.amountMinor ?? 0),
    0,
  );
  const endDiscounts =
    (habit.endDiscountLabels ?? []).length > 0 && listMinor > 1000 && random.chance(0.2)
      ? [{ label: random.pick(habit.endDiscountLabels!), amountMinor: -Math.round(listMinor * random.within(0.03, 0.12)) }]
      : []; // prettier-ignore
  return {
    lines,
    endDiscounts,
    sumMinor: listMinor + endDiscounts.reduce((sum, d) => sum + d.amountMinor, 0),
    date: { year: random.int(2015, 2026), month: random.int(1, 12), day: random.int(1, 28) },
    time: { hour: random.int(7, 21), minute: random.int(0, 59), second: random.int(0, 59) },
    cardLast4: random.digits(4),
  };
}

function priceBy(random: Random, { endings, priceLevel = 1 }: SaleHabit): number {
  const major = Math.floor((random.chance(0.08) ? random.int(8, 24) : random.int(0, 5)) * priceLevel);
  const minor = random.chance(0.75) ? random.pick(endings ?? ENDINGS) : random.int(1, 99);
  return Math.max(15, 100 * major + minor);
}

/** What shows of a sale: the truth that a reading is held against. Money in major units, as in the development set. */
export interface Truth {
  merchant: string;
  date: string;
  time: string | null;
  total: number;
  currency: string;
  country: string;
  items: { name: string; qty: number; amount: number }[];
  discounts: { label: string; amount: number }[];
  items_source: "gold";
  card_last4: string | null;
}

/** The truth of a sale. `totalMinor` as paid; `hasCard` and `hasTime` say whether the layout prints them. */
export function truthOf(
  sale: Sale,
  facts: { merchant: string; country: string; currency: string; totalMinor: number; hasTime: boolean; hasCard: boolean; voidLabel?: (line: SaleLine) => string },
): Truth {
  const { date, time, lines } = sale;
  return {
    merchant: facts.merchant,
    date: `${date.year}-${two(date.month)}-${two(date.day)}`,
    time: facts.hasTime ? `${two(time.hour)}:${two(time.minute)}` : null,
    total: facts.totalMinor / 100,
    currency: facts.currency,
    country: facts.country,
    items: lines.map(({ name, measure, amountMinor }) => ({
      name,
      qty: measure.kind === "count" ? measure.count : measure.kind === "weight" ? measure.grams / 1000 : 1,
      amount: amountMinor / 100,
    })),
    discounts: [
      ...lines.flatMap((line) => [
        ...(line.discount ? [{ label: line.discount.label, amount: line.discount.amountMinor / 100 }] : []),
        ...(line.isVoided ? [{ label: facts.voidLabel?.(line) ?? line.name, amount: -line.amountMinor / 100 }] : []),
      ]),
      ...sale.endDiscounts.map(({ label, amountMinor }) => ({ label, amount: amountMinor / 100 })),
    ],
    items_source: "gold",
    card_last4: facts.hasCard ? sale.cardLast4 : null,
  };
} // prettier-ignore

/** Two digits. */
export function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** `12.50`, `-1,20`; with `group` the thousands are parted. */
export function money(minor: number, mark: "." | "," = "."): string {
  const digits = String(Math.abs(minor)).padStart(3, "0");
  return `${minor < 0 ? "-" : ""}${digits.slice(0, -2)}${mark}${digits.slice(-2)}`;
}

/** Kilograms with three decimals. */
export function kilograms(grams: number, mark: "." | "," = "."): string {
  return (grams / 1000).toFixed(3).replace(".", mark);
}
