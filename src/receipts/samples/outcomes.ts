import { drawLandscape } from "./landscape.ts";
import { drawReceipt } from "./drawing.ts";
import type { Drawing } from "./drawing.ts";
import type { SampleLine, SampleMerchant, SampleReceipt } from "./sample.ts";

/** The time of a sample's purchase, by the till's clock: `YYYY-MM-DD`, `HH:MM`. */
export interface SampleMoment {
  readonly date: string;
  readonly time: string;
}

/** The default time of samples. */
export const SAMPLE_MOMENT: SampleMoment = { date: "2026-10-24", time: "10:41" };

/** The content of a sample: a receipt, or another picture. */
export type Sample =
  | { readonly kind: "receipt"; readonly receipt: SampleReceipt }
  | { readonly kind: "picture"; readonly drawing: Drawing };

// The shops are invented. The telephone numbers are in ranges reserved for fiction; the tax numbers are not assigned.
const MARKET: SampleMerchant = {
  name: "LARKMEADOW MARKET",
  address: ["14 Harbour Lane", "Otterby QX4 7RS"],
  phone: "01632 960142",
  vatNumber: "GB 000 4172 00",
};
const CORNER_SHOP: SampleMerchant = {
  name: "PENNYWELL STORES",
  address: ["3 Church Row", "Otterby QX4 1BD"],
  phone: "01632 960377",
  vatNumber: "GB 000 2951 00",
};
const HARDWARE_SHOP: SampleMerchant = {
  name: "TURNPIKE HARDWARE",
  address: ["88 Station Road", "Otterby QX4 3HN"],
  phone: "01632 960815",
  vatNumber: "GB 000 6038 00",
};
const GERMAN_MARKET: SampleMerchant = {
  name: "WIESENKORB MARKT",
  address: ["Lindenstraße 27", "99999 Musterstadt"],
  phone: "030 23125 014",
  vatNumber: "DE000000000",
};

const item = (name: string, amountMinor: number, taxMark?: string): SampleLine => ({
  name,
  amountMinor,
  ...(taxMark === undefined ? {} : { taxMark }),
});

const counted = (name: string, quantity: number, unitMinor: number, taxMark?: string): SampleLine => ({
  ...item(name, quantity * unitMinor, taxMark),
  measure: { kind: "count", quantity, unitMinor },
});

/** The amount is rounded half up to the minor unit, as tills do. */
const weighed = (name: string, massGrams: number, perKgMinor: number, taxMark?: string): SampleLine => ({
  ...item(name, Math.floor((massGrams * perKgMinor + 500) / 1000), taxMark),
  measure: { kind: "weight", massGrams, perKgMinor },
});

const british = { language: "en", currency: "GBP" } as const;
const paidByCard = { kind: "card", scheme: "VISA CONTACTLESS", cardLast4: "4821" } as const;

const receiptOf = (draw: (moment: SampleMoment) => SampleReceipt) => (moment: SampleMoment) =>
  ({ kind: "receipt", receipt: draw(moment) }) as const;

/** The samples by outcome. `held`, `already_exists` and `internal_error` are plain receipts. */
export const SAMPLE_OUTCOMES = {
  completed: receiptOf((moment) => ({
    ...british,
    ...moment,
    merchant: MARKET,
    receiptNumber: "0417 3 5861",
    payment: paidByCard,
    lines: [
      item("SEMI SKIMMED MILK 2PT", 145),
      item("WHOLEMEAL BREAD 800G", 140),
      item("BEEF MINCE 500G", 425),
      weighed("BANANAS LOOSE", 632, 99),
      item("BROCCOLI 350G", 85),
      item("PORRIDGE OATS 1KG", 135),
      counted("BAKED BEANS 415G", 2, 95),
      item("MATURE CHEDDAR 350G", 350),
      item("PROMO DISCOUNT", -75),
      item("CHICKEN BREAST 600G", 460),
      item("MILK CHOCOLATE 100G", 125),
      item("COLA 2L", 195),
      item("CARRIER BAG", 30),
    ],
  })),
  completed_de: receiptOf((moment) => ({
    ...moment,
    language: "de",
    currency: "EUR",
    merchant: GERMAN_MARKET,
    receiptNumber: "2207 4 9163",
    payment: { kind: "cash", tenderedMinor: 2500 },
    taxPercents: { A: 19, B: 7 },
    lines: [
      item("Vollmilch 1L", 115, "B"),
      item("Roggenbrot 750g", 249, "B"),
      weighed("Bananen", 632, 149, "B"),
      item("Rinderhackfleisch 500g", 549, "B"),
      item("Haferflocken 500g", 89, "B"),
      counted("Joghurt natur 500g", 2, 99, "B"),
      item("Gouda jung 400g", 329, "B"),
      item("Vollmilchschokolade 100g", 119, "B"),
      item("Apfelsaft 1L", 179, "A"),
      item("Tragetasche", 25, "A"),
    ],
  })),
  merchant_name_not_found: receiptOf((moment) => ({
    ...british,
    ...moment,
    merchant: null,
    receiptNumber: "0032 1 7740",
    payment: { kind: "cash", tenderedMinor: 1000 },
    lines: [
      item("WHITE BREAD 800G", 119),
      item("BUTTER 250G", 215),
      item("FREE RANGE EGGS 6PK", 175),
      counted("APPLES 6PK", 2, 160),
    ],
  })),
  no_valid_food_items: receiptOf((moment) => ({
    ...british,
    ...moment,
    merchant: HARDWARE_SHOP,
    receiptNumber: "0009 2 1186",
    payment: paidByCard,
    lines: [
      item("CLAW HAMMER", 899),
      item("WOOD SCREWS 4X40", 349),
      item("MASKING TAPE 50M", 279),
      item("PAINT ROLLER 9IN", 450),
      item("SANDPAPER P120", 225),
      counted("LED BULB E27", 2, 325),
    ],
  })),
  not_authentic: () => ({ kind: "picture", drawing: drawLandscape() }) as const,
  already_exists: receiptOf((moment) => ({
    ...british,
    ...moment,
    merchant: CORNER_SHOP,
    receiptNumber: "0120 1 3307",
    payment: { kind: "cash", tenderedMinor: 1000 },
    lines: [
      item("BROWN RICE 1KG", 210),
      item("RED LENTILS 500G", 145),
      item("PLUM TOMATOES 400G", 75),
      weighed("CARROTS LOOSE", 840, 65),
    ],
  })),
  held: receiptOf((moment) => ({
    ...british,
    ...moment,
    merchant: MARKET,
    receiptNumber: "0417 3 5862",
    payment: { kind: "cash", tenderedMinor: 1000 },
    lines: [item("RED LENTILS 500G", 145), item("WHOLEMEAL BREAD 800G", 140), item("BROCCOLI 350G", 85)],
  })),
  internal_error: receiptOf((moment) => ({
    ...british,
    ...moment,
    merchant: CORNER_SHOP,
    receiptNumber: "0120 1 3308",
    payment: paidByCard,
    lines: [item("POTATO CRISPS 6PK", 185), item("ORANGE JUICE 1L", 165), item("GREEK YOGURT 500G", 230)],
  })),
} satisfies Readonly<Record<string, (moment: SampleMoment) => Sample>>;

/** The name of a sample, as in `testBlobUri=sample:completed`. */
export type SampleOutcome = keyof typeof SAMPLE_OUTCOMES;

/** Whether there is a sample of this name. */
export function isSampleOutcome(name: string): name is SampleOutcome {
  return Object.hasOwn(SAMPLE_OUTCOMES, name);
}

/** The picture of a sample; `isPaper` says whether it is a strip of paper on a table or fills the frame. */
export function drawSample(outcome: SampleOutcome, moment: SampleMoment): Drawing & { readonly isPaper: boolean } {
  const sample: Sample = SAMPLE_OUTCOMES[outcome](moment);
  return sample.kind === "receipt"
    ? { ...drawReceipt(sample.receipt), isPaper: true }
    : { ...sample.drawing, isPaper: false };
}
