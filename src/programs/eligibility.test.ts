import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScoredLine } from "../points/scored-line.ts";
import { isEligible } from "./eligibility.ts";
import { programOf } from "./program.ts";
import type { ProgramDefinition } from "./definition.ts";

type Eligible = NonNullable<ProgramDefinition["eligible"]>;

const groupOf = (id: string) => ({ apple: "fruit", beef: "meat-beef" })[id] ?? null;

/** A line of a food of the catalogue, or of a product with a reference food or without one. */
function line(food: string | null, product: { code: string; reference: string | null } | null = null): ScoredLine {
  const reference = product?.reference ? { id: product.reference, name: "", by: "name" } : null;
  const match = { food: { id: food ?? product!.code, name: "" }, product, reference };
  return { externalId: "", basis: { match } } as unknown as ScoredLine;
}

function judged(eligible: Eligible, lines: readonly ScoredLine[], brand = "Larkmeadow", country = "GB"): boolean[] {
  const about = { eligible: programOf({ name: "Own", eligible }, "program/1").eligible, groupOf, country };
  return lines.map((each) => isEligible(each, { brand }, about));
}

const APPLE = line("apple");
const BEEF = line("beef");
const UNKNOWN = line(null, { code: "own-1", reference: null });

test("by group: only some, or all but some; what has no known group is in neither list", () => {
  assert.deepEqual(judged({ foodGroups: { only: ["fruit"] } }, [APPLE, BEEF, UNKNOWN]), [true, false, false]);
  assert.deepEqual(judged({ foodGroups: { except: ["fruit"] } }, [APPLE, BEEF, UNKNOWN]), [false, true, true]);
});

test("a product counts by its reference food, and by its code in any form of its GTIN", () => {
  const juice = line(null, { code: "04006381333931", reference: "apple" });
  assert.deepEqual(judged({ foodGroups: { only: ["fruit"] } }, [juice]), [true]);
  assert.deepEqual(judged({ products: { only: ["4006381333931"] } }, [juice, APPLE]), [true, false]);
});

test("by merchant and by country, whatever the case of their letters", () => {
  assert.deepEqual(judged({ merchants: { only: ["LARKMEADOW"] } }, [APPLE]), [true]);
  assert.deepEqual(judged({ merchants: { only: ["larkmeadow"] } }, [APPLE], ""), [false]);
  assert.deepEqual(judged({ countries: { except: ["gb"] } }, [APPLE]), [false]);
});

test("all choices must hold", () => {
  const eligible = { foodGroups: { only: ["fruit"] }, merchants: { only: ["Elsewhere"] } };
  assert.deepEqual(judged(eligible, [APPLE, BEEF]), [false, false]);
});
