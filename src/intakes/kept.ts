// What the row of a completed intake keeps: of the submission and its scoring, the members that its record does not
// say. Of 948 bytes of JSON of a food, 639 were in the record as well. Pure.
//
// The form is read for good, and it is the form of before as well: a member that is there counts, one that is missing
// is the record's. So a row that was completed before this has all members.
import { isDeepStrictEqual } from "node:util";
import { fromMinor } from "../points/money.ts";
import type { RecordBody } from "../points/record.ts";
import type { ItemFacts } from "../points/scored-line.ts";
import type { IntakeSource } from "./intake.ts";
import type { Submission, SubmittedIngredient } from "./schema.ts";
import type { Scored } from "./score.ts";
import { inStoredOrder } from "./stored/packed-submission.ts";
import type { Portion } from "./status-schema.ts";

/** The results of scoring that are not in the record. */
export type CompletedDetails = Pick<Scored, "portions" | "carbonRating" | "healthRating">;

export interface CompletedIntake {
  readonly submission: Submission;
  readonly details: CompletedDetails;
}

export type KeptSubmission = Partial<Omit<Submission, "ingredients">> & {
  readonly ingredients?: readonly Partial<SubmittedIngredient>[];
};
export type KeptDetails = Partial<Omit<CompletedDetails, "portions">> & {
  readonly portions?: readonly Partial<Portion>[];
};
export interface KeptIntake {
  readonly submission: KeptSubmission;
  readonly details: KeptDetails;
}

type Merchant = Submission["merchant"];

/** What a completed intake keeps beside the record with this body. */
export function keptOf(source: IntakeSource, intake: CompletedIntake, body: RecordBody): KeptIntake {
  const { ingredients, merchant, ...head } = intake.submission;
  const { portions, ...ratings } = intake.details;
  const keptMerchant = merchantKept(merchant, merchantIn(source, body));
  const keptIngredients = listKept(ingredients, ingredientsIn(source, merchant, body, ingredients));
  const keptPortions = listKept(portions, portionsIn(body, ingredients));
  return {
    submission: {
      ...difference(head, headIn(source, merchant, body)),
      ...(keptMerchant !== undefined && { merchant: keptMerchant }),
      ...(keptIngredients && { ingredients: keptIngredients }),
    },
    details: {
      ...difference(ratings, ratingsIn(body)),
      ...(keptPortions && { portions: keptPortions }),
    },
  };
}

/** The inverse of `keptOf`, also where a row has all members. They are in the order of PostgreSQL. */
export function completedIntake(source: IntakeSource, kept: KeptIntake, body: RecordBody): CompletedIntake {
  const { ingredients: ownIngredients, merchant: ownMerchant, ...head } = kept.submission;
  const { portions: ownPortions, ...ratings } = kept.details;
  const merchant = merchantOf(ownMerchant, merchantIn(source, body));
  const ingredients = listOf(ownIngredients, ingredientsIn(source, merchant, body, ownIngredients ?? []));
  const portions = listOf(ownPortions, portionsIn(body, ingredients));
  const submission = { ...headIn(source, merchant, body), ...head, merchant, ingredients };
  return {
    submission: inStoredOrder(submission) as Submission,
    details: inStoredOrder({ ...ratingsIn(body), ...ratings, portions }) as CompletedDetails,
  };
}

/** A row of any state, with the body of the record that it earned. */
export interface StoredIntake extends KeptIntake {
  readonly source: IntakeSource;
  readonly record: RecordBody | null;
}

/** An intake as it is exported: with what its record says. */
export function withRecord({ record, ...intake }: StoredIntake): object {
  return record ? { ...intake, ...completedIntake(intake.source, intake, record) } : intake;
}

/** The items of a record in the order of the ingredients: their ids end in a number from 1. */
function linesOf({ items, excludedItems }: RecordBody): ItemFacts[] {
  return [...items, ...excludedItems].toSorted((a, b) => numberOf(a) - numberOf(b));
}

function numberOf({ id }: ItemFacts): number {
  return Number(id.slice(id.lastIndexOf("-") + 1));
}

// What the record says of a submission. Where it says nothing, what most submissions have.

function headIn(source: IntakeSource, merchant: Merchant, body: RecordBody): Partial<Submission> {
  const lines = linesOf(body);
  // A food, or a meal that is rated by its name.
  const only = lines.length === 1 ? lines[0] : undefined;
  return {
    reference: body.reference,
    ...(only && { name: only.name, imageUrl: only.imageUrl }),
    loggedAt: body.timestamp,
    mealType: "",
    country: (source === "food" && merchant?.country) || "",
    location: body.location,
    metadata: null,
  };
}

function merchantIn(source: IntakeSource, { brand, logo }: RecordBody): Merchant {
  return source === "food" ? { ...(logo !== "" && { logo }), name: brand } : null;
}

/** `own`: the ingredients as far as they are known. Whether one has a currency depends on its amount. */
function ingredientsIn(
  source: IntakeSource,
  merchant: Merchant,
  body: RecordBody,
  own: readonly Partial<SubmittedIngredient>[],
): Partial<SubmittedIngredient>[] {
  return linesOf(body).map(({ externalId, name, imageUrl, quantity, amountMinor }, i) => {
    const amount = fromMinor(amountMinor, body.currency);
    const hasCurrency = source === "food" || own[i]?.amount !== null;
    return {
      foodId: externalId,
      name,
      imageUrl,
      merchant: source === "food" ? merchant : null,
      weight: null,
      unit: null,
      quantity,
      amount,
      currency: hasCurrency ? body.currency : null,
      nutrition: null,
    };
  });
}

function ratingsIn({ items }: RecordBody): Partial<CompletedDetails> {
  if (items.length !== 1) return {};
  const [{ carbonRating, healthRating }] = items as [RecordBody["items"][number]];
  return { carbonRating, healthRating };
}

/** The weights that ratings use, unless it is assumed or converted. */
function portionsIn(body: RecordBody, ingredients: readonly SubmittedIngredient[]): Partial<Portion>[] {
  return body.items.map((item) => {
    const { weight = null, unit = null, amount = null } = ingredients[numberOf(item) - 1] ?? {};
    return {
      ...(weight !== null && { weight }),
      unit: unit ?? "g",
      isAssumed: weight === null,
      isAmountDefaulted: amount === null,
    };
  });
}

// The difference between a value and what the record says of it, and back.

function difference<Whole extends object>(whole: Whole, expected: Partial<Whole>): Partial<Whole> {
  const members = Object.entries(whole).filter(
    ([name, value]) => !isEqual(value, (expected as Record<string, unknown>)[name]),
  );
  return Object.fromEntries(members) as Partial<Whole>;
}

/** Most members are no objects: of those `isDeepStrictEqual` says the same, and takes longer. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  return typeof a === "object" && typeof b === "object" && isDeepStrictEqual(a, b);
}

function merchantKept(whole: Merchant, expected: Merchant): Merchant | undefined {
  if (isEqual(whole, expected)) return undefined;
  return whole && expected ? difference(whole, expected) : whole;
}

function merchantOf(kept: Merchant | undefined, expected: Merchant): Merchant {
  if (kept === undefined) return expected;
  return kept && expected ? inStoredOrder({ ...expected, ...kept }) : kept;
}

/** Undefined: each is as expected. */
function listKept<Whole extends object>(
  wholes: readonly Whole[],
  expected: readonly Partial<Whole>[],
): Partial<Whole>[] | undefined {
  const kept = wholes.map((whole, i) => difference(whole, expected[i] ?? {}));
  const isAsExpected = kept.length === expected.length && kept.every((each) => Object.keys(each).length === 0);
  return isAsExpected ? undefined : kept;
}

function listOf<Whole extends object>(
  kept: readonly Partial<Whole>[] | undefined,
  expected: readonly Partial<Whole>[],
): Whole[] {
  return (kept ?? expected).map((each, i) => inStoredOrder({ ...expected[i], ...each }) as Whole);
}
