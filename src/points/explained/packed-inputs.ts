// The stored form of what explains an award: the inputs of its rule and their result. What the body of the record says
// as well is not repeated, and evidence that is the same for everybody is apart, by its hash (evidence.store.ts). Pure.
//
// The form is read for good: a change of it is a new version, in the first member.
import { joinEvidence, splitEvidence } from "../../foods/rating/packed-evidence.ts";
import type { KnownFacts } from "../../foods/rating/packed-evidence.ts";
import type { Award, AwardItem, ItemAward } from "../award.ts";
import { EXTRA_CUTS } from "../extras.ts";
import type { Extra, Settled } from "../extras.ts";
import type { LimitCut } from "../limits/limits.ts";
import type { ExplainedRow } from "../explanation.ts";
import type { ComposedRecord, ExcludedRecordItem, ItemBasis, RecordBody, RecordItem, SpendCut } from "../record.ts";

/**
 * What explains an award, in its stored parts: `shared` are texts of evidence that `own` refers to, in its order. `own`
 * is plain data, so that it is packed without a text of it being made and parsed.
 */
export interface PackedInputs {
  readonly own: PackedAward;
  readonly shared: readonly string[];
}

const VERSION = 1;
const KINDS = ["rated", "unmatched", "ignored"] as const satisfies readonly AwardItem["kind"][];

type Item = RecordItem | ExcludedRecordItem;

type PackedLine = readonly [
  item: readonly [
    kind: number,
    massMg: number | null,
    confidence: number,
    healthRating: AwardItem["healthRating"],
    carbonRating: AwardItem["carbonRating"],
    soldByWeight?: 1,
    quantity?: number,
  ],
  award: readonly [healthCell: string, carbonCell: string, healthPoints: number, carbonPoints: number],
  /** The line's number in the submission, or its id. */
  id: number | string,
  /** Place in the evidence of the record; -1: none. */
  evidence: number,
  basis?: unknown,
];
export type PackedAward = readonly [
  version: typeof VERSION,
  rule: string,
  divisor: string,
  isCapped: 0 | 1,
  lines: readonly PackedLine[],
  dayCut?: LimitCut | null,
  spendCut?: SpendCut | null,
  settled?: PackedSettled,
];

type PackedSettled = readonly [
  tier: readonly [tier: number, name: string, hundredths: number] | null,
  extras: readonly (readonly [
    campaignId: string | null,
    points: number,
    shares: readonly number[],
    /** Absent where nothing cut it. */
    uncutPoints?: number,
    cutBy?: number,
  ])[],
];

/** Packs what explains the record of a submission. */
export function packInputs(record: ComposedRecord, submissionId: string): PackedInputs {
  const { body, awardItems, award, bases, dayCut, spendCut, settled } = record;
  const facts = factsOf(body);
  const shared: string[] = [];
  const lines = bases.map(({ itemId, basis }, i): PackedLine => {
    const item = facts.get(itemId);
    const awardItem = awardItems[i]!;
    const split = basis && splitEvidence(basis, knownOf(item, awardItem));
    const line = [packedItem(awardItem, item), packedCells(award.items[i]!), numberOf(itemId, submissionId)] as const;
    return split ? [...line, placeIn(shared, split.shared), split.own] : [...line, -1];
  });
  const head = [VERSION, award.rule, award.divisor, award.capped ? 1 : 0, lines] as const;
  const own: PackedAward = settled
    ? [...head, dayCut ?? null, spendCut ?? null, packedSettled(settled)]
    : spendCut
      ? [...head, dayCut ?? null, spendCut]
      : dayCut
        ? [...head, dayCut]
        : head;
  return { own, shared };
}

/** Returns what `packInputs` has packed, for a record with this body, from the text of `own`. */
export function unpackInputs(
  { own, shared }: { readonly own: string; readonly shared: readonly string[] },
  body: RecordBody,
  submissionId: string,
): ExplainedRow["ruleInputs"] {
  const [, rule, divisor, isCapped, lines, dayCut, spendCut, settled] = JSON.parse(own) as PackedAward;
  const facts = factsOf(body);
  const items: AwardItem[] = [];
  const bases: ItemBasis[] = [];
  for (const [item, , id, evidence, basis] of lines) {
    const itemId = typeof id === "number" ? `${submissionId}-${id}` : id;
    const fact = facts.get(itemId);
    const awardItem = unpackedItem(item, fact);
    items.push(awardItem);
    const joined = basis ? joinEvidence(basis, shared[evidence] ?? null, knownOf(fact, awardItem)) : null;
    bases.push({ itemId, basis: joined });
  }
  const award = awardOf(
    lines.map(([, cells]) => unpackedCells(cells)),
    { rule, divisor, capped: isCapped === 1 },
  );
  const decided = {
    ...(spendCut && { spendCut }),
    ...(settled && { settled: unpackedSettled(settled, body.items.length) }),
  };
  return { items, award, bases, ...(dayCut && { dayCut }), ...decided };
}

function packedSettled({ tier, extras }: Settled): PackedSettled {
  return [
    tier && [tier.tier, tier.name, tier.hundredths],
    extras.map(({ campaignId, points, shares, uncutPoints, cutBy }) => {
      const given = [campaignId, points, points > 0 ? shares : []] as const;
      return cutBy === null ? given : [...given, uncutPoints, EXTRA_CUTS.indexOf(cutBy)];
    }),
  ];
}

function unpackedSettled([tier, extras]: PackedSettled, items: number): Settled {
  return {
    tier: tier && { tier: tier[0], name: tier[1], hundredths: tier[2] },
    extras: extras.map(([campaignId, points, given, uncutPoints = points, cut]): Extra => {
      const shares = points > 0 ? given : Array.from({ length: items }, () => 0);
      return { campaignId, points, shares, uncutPoints, cutBy: cut === undefined ? null : EXTRA_CUTS[cut]! };
    }),
  };
}

function factsOf({ items, excludedItems }: RecordBody): ReadonlyMap<string, Item> {
  return new Map([...items, ...excludedItems].map((item) => [item.id, item]));
}

function knownOf(item: Item | undefined, { massMg, confidence }: AwardItem): KnownFacts {
  const { name = "", externalId = "", quantity = 0 } = item ?? {};
  const co2eMg = item && "co2eMg" in item ? item.co2eMg : null;
  return { name, foodId: externalId, quantity, massMg, confidence, co2eMg };
}

function placeIn(shared: string[], text: string | null): number {
  if (text === null) return -1;
  const place = shared.indexOf(text);
  return place >= 0 ? place : shared.push(text) - 1;
}

function numberOf(itemId: string, submissionId: string): number | string {
  const number = Number(itemId.slice(submissionId.length + 1));
  return itemId === `${submissionId}-${number}` ? number : itemId;
}

function packedItem(item: AwardItem, fact: Item | undefined): PackedLine[0] {
  const { kind, massMg, confidence, healthRating, carbonRating, soldByWeight, quantity } = item;
  const head = [KINDS.indexOf(kind), massMg, confidence, healthRating, carbonRating] as const;
  if (quantity !== fact?.quantity) return [...head, ...([soldByWeight ? 1 : 0, quantity] as unknown as [1, number])];
  return soldByWeight ? [...head, 1] : head;
}

function unpackedItem(
  [kind, massMg, confidence, healthRating, carbonRating, soldByWeight, quantity]: PackedLine[0],
  fact: Item | undefined,
): AwardItem {
  return {
    kind: KINDS[kind]!,
    healthRating,
    carbonRating,
    confidence,
    quantity: quantity ?? fact?.quantity ?? 0,
    soldByWeight: soldByWeight === 1,
    massMg,
  };
}

function packedCells({ healthCell, carbonCell, healthPoints, carbonPoints }: ItemAward): PackedLine[1] {
  return [healthCell, carbonCell, healthPoints, carbonPoints];
}

function unpackedCells([healthCell, carbonCell, healthPoints, carbonPoints]: PackedLine[1]): ItemAward {
  return { healthCell, carbonCell, healthPoints, carbonPoints, totalPoints: healthPoints + carbonPoints };
}

function awardOf(items: readonly ItemAward[], head: Pick<Award, "rule" | "divisor" | "capped">): Award {
  const totalHealthPoints = items.reduce((sum, { healthPoints }) => sum + healthPoints, 0);
  const totalCarbonPoints = items.reduce((sum, { carbonPoints }) => sum + carbonPoints, 0);
  return { ...head, items, totalHealthPoints, totalCarbonPoints, totalPoints: totalHealthPoints + totalCarbonPoints };
}
