// What simulated people eat and buy, by a seed.

/** An ingredient or food as it is sent, by its id in the catalogue. */
export interface Sent {
  readonly foodId: string;
  readonly name: string;
  readonly weight: number;
  readonly unit: "g";
  readonly quantity: number;
}

/** A printed receipt. */
export interface Printed {
  readonly rows: readonly string[];
  readonly merchantName: string;
  readonly total: string;
  /** Whether a line is a food: a bag alone is none. */
  readonly hasFood: boolean;
  /** The time of the purchase, to the minute. */
  readonly at: Date;
}

export type Random = () => number;

const FOODS = [
  "carrots",
  "tomatoes",
  "red-lentils",
  "porridge-oats",
  "apple",
  "banana",
  "wholemeal-bread",
  "chicken-breast",
  "beef-mince",
  "cheddar",
  "butter",
  "milk-chocolate",
  "crisps",
] as const;
const BAG = "CARRIER BAG";
const LINES = [
  "CARROTS 1KG",
  "TOMATOES 400G",
  "RED LENTILS 500G",
  "WHOLEMEAL BREAD 800G",
  "BEEF MINCE 500G",
  "CHEDDAR 400G",
  "BUTTER 250G",
  "MILK CHOCOLATE 100G",
  "BANANAS 5 PACK",
  BAG,
] as const;
export const SHOPS = ["Larkmeadow Market", "Pinefold Grocers"] as const;

export function pick<Each>(random: Random, list: readonly Each[]): Each {
  return list[Math.floor(random() * list.length)]!;
}

/** Whole number from `min` to `max`. */
export function between(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}

/** A food that the catalogue has. */
export function food(random: Random): Sent {
  const foodId = pick(random, FOODS);
  const weight = between(random, 1, 30) * 10;
  return { foodId, name: foodId.replaceAll("-", " "), weight, unit: "g", quantity: between(random, 1, 3) };
}

/** Ingredients of a meal; now and then one that nobody knows. */
export function ingredients(random: Random): Sent[] {
  const known = Array.from({ length: between(random, 1, 4) }, () => food(random));
  if (random() > 0.15) return known;
  return [...known, { foodId: "own-1", name: "Xqzzk", weight: between(random, 1, 9) * 10, unit: "g", quantity: 1 }];
}

/** A receipt of its own: no other one has its time and total. */
export function receipt(random: Random, at: Date): Printed {
  const merchantName = pick(random, SHOPS);
  const lines = Array.from({ length: between(random, 1, 6) }, () => ({
    name: pick(random, LINES),
    minor: between(random, 50, 500),
  }));
  const total = (lines.reduce((sum, { minor }) => sum + minor, 0) / 100).toFixed(2);
  const [date, time] = at.toISOString().slice(0, 16).split("T");
  const rows = [
    `        ${merchantName.toUpperCase()}`,
    "        14 Harbour Lane",
    "       Tel 01632 960142",
    `     ${date!.split("-").reverse().join("/")}   ${time}`,
    "",
    ...lines.map(({ name, minor }) => `${name.padEnd(28)} ${(minor / 100).toFixed(2)}`),
    "",
    `${"TOTAL".padEnd(27)} £${total}`,
    `${"VISA CONTACTLESS".padEnd(28)} ${total}`,
  ];
  return { rows, merchantName, total, hasFood: lines.some(({ name }) => name !== BAG), at };
}
