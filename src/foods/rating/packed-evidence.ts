// The stored form of the evidence of a rating: arrays without names of members. What the catalogue says of a food is
// apart, since it is the same for everybody; what was typed or sent by a person stays with the record. Pure.
import { packed, packedAll, packedNames, unpacked, unpackedNames } from "./positional.ts";
import type { Packed, PackedNames } from "./positional.ts";
import type { EvidenceMatch, RatingEvidence } from "./evidence.ts";

/** What is in the record anyway. Evidence that agrees with it is stored as `null`. */
export interface KnownFacts {
  readonly name: string;
  readonly foodId: string;
  readonly quantity: number;
  readonly massMg: number | null;
  readonly confidence: number;
  /** Null: the item is not rated. */
  readonly co2eMg: number | null;
}

/** The evidence of one item in two parts: `shared` is the canonical text that other items have, too. */
export interface SplitEvidence {
  readonly own: unknown;
  readonly shared: string | null;
}

type Rated = NonNullable<RatingEvidence["rated"]>;

// The members in the order of stored rows, which is for good: none of these lists follows a list that may change.
const MATCH = ["by", "food", "matchedName", "reference"] as const;
const FIGURES = ["co2eGPerKg", "source", "method", "rating", "ratingUncertain", "reconstitution"] as const;
const HEALTH = ["class", "grade", "score", "rating", "basis"] as const;
const PER_100 = [
  "energyKcal",
  "proteinG",
  "carbsG",
  "fatG",
  "sugarG",
  "fiberG",
  "saltG",
  "saturatedFatG",
  "fvlPct",
] as const;
/** Members of the nutrition that is sent. */
const SENT = [
  "energyKcal",
  "proteinG",
  "carbsG",
  "fatG",
  "sugarG",
  "fiberG",
  "saltG",
  "saturatedFatG",
  "fruitsVegetablesLegumesPct",
] as const;
const NEGATIVE = [
  "energy",
  "sugars",
  "salt",
  "saturated_fat",
  "energy_from_saturated_fat",
  "saturated_fat_ratio",
  "non_nutritive_sweeteners",
] as const;
const POSITIVE = ["fiber", "proteins", "fruits_vegetables_legumes"] as const;

/** Splits the evidence of an item that the record shows as `known`. */
export function splitEvidence(evidence: RatingEvidence, known: KnownFacts): SplitEvidence {
  const { input, match, massMg, rated, exclusion } = evidence;
  // An application's own product may have any name; its nutrition is that of the product, and not of a person.
  const isCatalogue = match !== null && match.product === null;
  const isSent = input.nutrition.length > 0;
  const shared =
    rated || isCatalogue
      ? JSON.stringify([
          isCatalogue ? packed(MATCH, match) : null,
          rated && packed(FIGURES, rated.carbon),
          rated && !isSent ? packedHealth(rated.health) : null,
          rated && rated.health.source,
        ])
      : null;
  const own = [
    [
      input.name === known.name ? null : input.name,
      input.foodId === known.foodId ? null : input.foodId,
      input.quantity === known.quantity ? null : input.quantity,
      input.weight,
      input.unit,
      ...(isSent ? [packedNames(SENT, input.nutrition)] : []),
    ],
    massMg === known.massMg ? null : [massMg],
    exclusion,
    match && ownMatch(match, isCatalogue, known),
    rated && ownRated(rated, isSent, known),
  ];
  return { own, shared };
}

/** Returns the evidence of an item from its parts. */
export function joinEvidence(own: unknown, shared: string | null, known: KnownFacts): RatingEvidence {
  const [input, massMg, exclusion, match, rated] = own as OwnEvidence;
  const [name, foodId, quantity, weight, unit, nutrition] = input;
  const [sharedMatch, figures, health, source] =
    shared === null ? [null, null, null, ""] : (JSON.parse(shared) as SharedEvidence);
  return {
    input: {
      name: name ?? known.name,
      foodId: foodId ?? known.foodId,
      quantity: quantity ?? known.quantity,
      weight,
      unit,
      nutrition: nutrition === undefined ? [] : unpackedNames(SENT, nutrition),
    },
    match: match === null ? null : joinedMatch(match, sharedMatch, known),
    massMg: massMg ? massMg[0] : known.massMg,
    rated: rated && joinedRated(rated, { figures, health, source: source ?? "" }, known),
    exclusion,
  };
}

/** 0: nothing but what is known and shared. */
type OwnMatch = 0 | OwnMatchMembers;
type OwnMatchMembers = readonly [
  confidence: number | null,
  alias: EvidenceMatch["alias"],
  words: EvidenceMatch["words"] | 0 | null,
  match: Packed | null,
  product: EvidenceMatch["product"],
];
type OwnRated = readonly [
  weightGPerUnit: number,
  weightAssumed: 0 | 1,
  co2eLowMg: number,
  co2eHighMg: number,
  co2eMg: number | null,
  isWater: 0 | 1,
  flags: Rated["flags"] | null,
  health: Packed | null,
];
type OwnEvidence = readonly [
  readonly [
    name: string | null,
    foodId: string | null,
    quantity: number | null,
    weight: number | null,
    unit: string | null,
    nutrition?: PackedNames,
  ],
  massMg: readonly [number | null] | null,
  exclusion: RatingEvidence["exclusion"],
  match: OwnMatch | null,
  rated: OwnRated | null,
];
type SharedEvidence = readonly [match: Packed | null, figures: Packed | null, health: Packed | null, source: string];

function ownMatch(match: EvidenceMatch, isCatalogue: boolean, known: KnownFacts): OwnMatch {
  const { confidence, alias, words, product } = match;
  // Records from before custom words existed have none; 0 is an empty list.
  const wordsOwn = words?.length === 0 ? 0 : (words ?? null);
  const whole = isCatalogue ? null : packed(MATCH, match);
  if (isCatalogue && confidence === known.confidence && alias === null && wordsOwn === 0) return 0;
  return [confidence === known.confidence ? null : confidence, alias, wordsOwn, whole, product];
}

function joinedMatch(own: OwnMatch, shared: Packed | null, known: KnownFacts): EvidenceMatch {
  const [confidence, alias, words, whole, product]: OwnMatchMembers = own === 0 ? [null, null, 0, null, null] : own;
  return {
    ...(unpacked(MATCH, (whole ?? shared)!) as Pick<EvidenceMatch, (typeof MATCH)[number]>),
    confidence: confidence ?? known.confidence,
    product,
    alias,
    ...(words !== null && words !== undefined && { words: words === 0 ? [] : words }),
  };
}

function ownRated(rated: Rated, isSent: boolean, known: KnownFacts): OwnRated {
  const { carbon, health, flags } = rated;
  return [
    rated.weightGPerUnit,
    rated.weightAssumed ? 1 : 0,
    carbon.co2eLowMg,
    carbon.co2eHighMg,
    carbon.co2eMg === known.co2eMg ? null : carbon.co2eMg,
    rated.isWater ? 1 : 0,
    flags.length > 0 ? flags : null,
    isSent ? packedHealth(health) : null,
  ];
}

function joinedRated(
  own: OwnRated,
  shared: { figures: Packed | null; health: Packed | null; source: string },
  known: KnownFacts,
): Rated {
  const [weightGPerUnit, weightAssumed, co2eLowMg, co2eHighMg, co2eMg, isWater, flags, health] = own;
  const figures = unpacked(FIGURES, shared.figures!) as Pick<Rated["carbon"], (typeof FIGURES)[number]>;
  return {
    weightGPerUnit,
    weightAssumed: weightAssumed === 1,
    carbon: { ...figures, co2eMg: co2eMg ?? known.co2eMg!, co2eLowMg, co2eHighMg },
    health: { ...unpackedHealth((health ?? shared.health)!), source: shared.source },
    isWater: isWater === 1,
    flags: flags ?? [],
  };
}

function packedHealth(health: Rated["health"]): Packed {
  const { per100, imputed, components } = health;
  const { negative, positive } = components;
  return [
    packed(HEALTH, health),
    packedNames(PER_100, imputed),
    packedAll(PER_100, per100),
    packedAll(NEGATIVE, negative),
    packedAll(POSITIVE, positive),
  ];
}

function unpackedHealth(health: Packed): Omit<Rated["health"], "source"> {
  const [rest, imputed, per100, negative, positive] = health as readonly [Packed, PackedNames, Packed, Packed, Packed];
  return {
    ...(unpacked(HEALTH, rest) as Pick<Rated["health"], (typeof HEALTH)[number]>),
    imputed: unpackedNames(PER_100, imputed) as Rated["health"]["imputed"],
    per100: unpacked(PER_100, per100) as Rated["health"]["per100"],
    components: {
      negative: unpacked(NEGATIVE, negative, "absent"),
      positive: unpacked(POSITIVE, positive, "absent"),
    },
  };
}
