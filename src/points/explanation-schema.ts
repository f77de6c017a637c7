import { Type } from "typebox";
import type { Static, TProperties } from "typebox";
import { Alternative } from "../foods/alternatives/schema.ts";
import { ROUNDINGS } from "./award.ts";
import { BonusExplanation } from "./bonuses/explanation-schema.ts";
import { EXTRA_CUTS } from "./extras.ts";
import { LIMIT_NAMES } from "./limits/limits.ts";
import { co2e, instant, money, nullable, oneOf, points, rating, text } from "../http/schema-members.ts";

const grade = oneOf(["A", "B", "C", "D", "E"], "The rating as a letter.");
const named = (description: string) => Type.Object({ id: text("Its id."), name: text("Its name.") }, { description });
/** Read-only arrays, as in the stored record. */
const texts = (description: string) => Type.Immutable(Type.Array(Type.String(), { description }));
const author = text("Who added it. api: your application; operator: the operator, for your application.");

function step<const Name extends string, Members extends TProperties>(
  name: Name,
  title: string,
  description: string,
  members: Members,
) {
  return Type.Object(
    {
      step: Type.Literal(name, { description: "Name of the step." }),
      ...members,
      text: text("The step in words."),
    },
    { title, description },
  );
}

const InputStep = step("input", "InputStep", "The item as sent or read.", {
  name: text("As sent or printed."),
  foodId: text("As sent; empty when not sent."),
  weight: nullable(Type.Number({ description: "Weight of one unit; null when not stated." })),
  unit: nullable(text("Unit of `weight`; null when not stated.")),
  quantity: Type.Number({ description: "Number of units." }),
  nutrition: texts("The members of nutrition that were sent."),
});

const MatchStep = step("match", "MatchStep", "The matched food. Has only `text` when no word of the name is known.", {
  by: Type.Optional(
    oneOf(
      ["own_food_id", "catalogue_id", "gtin", "alias", "name", "product_name"],
      "How it was found: by your own foodId, the catalogue's id, a bar code, an alias that you added, its name, or a " +
        "product's name.",
    ),
  ),
  food: Type.Optional(nullable(named("The food whose figures are used; null when none was accepted."))),
  matchedName: Type.Optional(nullable(text("The name that matched; null unless it was found by name."))),
  confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "Confidence of the match." })),
  product: Type.Optional(
    nullable(
      Type.Object(
        {
          source: text("Source of the data."),
          code: text("The product's id in that source."),
          name: text("Its name."),
          revision: Type.Integer({ description: "Number of the import that last changed it." }),
        },
        { description: "The matched product; null when it is no known product." },
      ),
    ),
  ),
  reference: Type.Optional(
    nullable(
      Type.Object(
        { id: text("Its id."), name: text("Its name."), by: text("How it was found.") },
        { description: "The food that supplies values missing in the product." },
      ),
    ),
  ),
  alias: Type.Optional(
    nullable(
      Type.Object(
        {
          id: text("Its id."),
          name: text("The name of the alias."),
          merchantName: nullable(text("Merchant where the alias applies; null: all.")),
          author,
          createdAt: instant("When it was added."),
        },
        { description: "The alias of the name; null without one." },
      ),
    ),
  ),
  words: Type.Optional(
    Type.Immutable(
      Type.Array(
        Type.Object({
          id: Type.Optional(text("The word's id.")),
          word: text("The word."),
          means: text("Text that replaced it; empty when it was left out."),
          author,
          createdAt: instant("When it was added."),
        }),
        { description: "Your custom words that were replaced in the name." },
      ),
    ),
  ),
});

const WeightStep = step("weight", "WeightStep", "The weight of the item.", {
  totalGrams: nullable(Type.Number({ description: "All units together; null when unknown." })),
  gramsPerUnit: nullable(Type.Number({ description: "One unit; null when unknown." })),
  assumed: Type.Boolean({
    description: "True when the weight was neither sent nor printed: it is the usual portion or pack.",
  }),
});

const CarbonStep = step("carbon", "CarbonStep", "The CO2e and carbon rating of the item.", {
  kgCo2ePerKg: Type.Number({ description: "Kilograms of CO2-equivalent for one kilogram." }),
  source: text("Source of the figure."),
  method: text("Method of the rating."),
  totalCO2e: co2e("CO2e of the whole line."),
  co2eLow: co2e("Lower bound."),
  co2eHigh: co2e("Upper bound."),
  rating: rating("Carbon rating."),
  grade,
  ratingUncertain: Type.Boolean({
    description: "True when the range from the lower to the upper bound spans more than one rating.",
  }),
  reconstitution: nullable(
    Type.Number({
      description:
        "Kilograms of prepared food from one kilogram (of a powder, for example): it is rated as prepared. Otherwise null.",
    }),
  ),
});

const NutritionStep = step("nutrition", "NutritionStep", "The nutrition of the item.", {
  basis: oneOf(
    ["input", "input+reference", "reference"],
    "The nutrition as sent, as sent and completed from the catalogue, or that of the catalogue.",
  ),
  source: text("Source of the values that were not sent."),
  per100: Type.Record(Type.String(), Type.Number(), {
    description: "Energy and nutrients in 100 g; `fvlPct` is the percentage of fruit, vegetables and legumes.",
  }),
  imputed: texts("Members taken from the catalogue."),
  flags: texts("Problems of the sent values."),
});

const HealthStep = step("health", "HealthStep", "The Nutri-Score and health rating of the item.", {
  method: Type.Literal("nutri-score-2023", { description: "The Nutri-Score, as revised in 2023." }),
  class: text("The class of foods whose tables apply."),
  components: Type.Object(
    {
      negative: Type.Record(Type.String(), Type.Number(), { description: "Points for unfavourable components." }),
      positive: Type.Record(Type.String(), Type.Number(), { description: "Points for favourable components." }),
    },
    { description: "Components of the score." },
  ),
  score: Type.Integer({ description: "Negative minus positive points; lower is better." }),
  rating: rating("Health rating."),
  grade,
});

const ExclusionStep = step("exclusion", "ExclusionStep", "Why it earns nothing.", {
  reason: text("As `exclusionReason` of the item."),
});

const PointsStep = step("points", "PointsStep", "The points of the item.", {
  rule: text("Id of the rule."),
  healthBase: Type.Number({ description: "Base points of the health rating." }),
  carbonBase: Type.Number({ description: "Base points of the carbon rating." }),
  confidenceHalves: Type.Integer({
    description: "2 for a certain match; 1 for an uncertain one, which earns half the points.",
  }),
  weight: text("Factor of a base, as a whole number of any size."),
  healthCell: text("Health base times weight."),
  carbonCell: text("Carbon base times weight."),
  divisor: text("Divisor of the cells."),
  healthPoints: points("Points for health."),
  carbonPoints: points("Points for carbon."),
});

/** Who gives an extra. */
const extraGiver = {
  kind: oneOf(["tier", "campaign"], "What gives the points."),
  id: text("The campaign's id; empty for a tier."),
  name: text("The name of the tier or campaign."),
};

const ItemExtra = Type.Object(
  { ...extraGiver, points: points("Its points for this item.") },
  { title: "ItemExtra", description: "Points of an item that a tier or campaign has added." },
);
export type ItemExtra = Static<typeof ItemExtra>;

const ExtraExplanation = Type.Object(
  {
    ...extraGiver,
    effect: Type.Object(
      {
        multiplier: Type.Optional(Type.Number({ description: "Multiplies base points." })),
        pointsPerItem: Type.Optional(points("For each item that counts.")),
        pointsPerRecord: Type.Optional(points("For a record with an item that counts.")),
      },
      { title: "ExtraEffect", description: "What it gives: one of these." },
    ),
    uncutPoints: points("What it would have given without a budget, a number of users, and limits."),
    points: points("What it gave."),
    cutBy: Type.Optional(
      oneOf(
        EXTRA_CUTS,
        "What left it fewer points: its budget, its number of users, a limit of a day, week or month, or, of a correction, " +
          "what the award had. Absent if nothing did.",
      ),
    ),
    text: text("The same in words."),
  },
  { title: "ExtraExplanation", description: "Points of a record that a tier or campaign has added." },
);
export type ExtraExplanation = Static<typeof ExtraExplanation>;

const ItemExplanation = Type.Object(
  {
    id: text("The item's id."),
    name: text("As sent or printed."),
    counted: Type.Boolean({ description: "False: it is in `excludedItems`." }),
    totalPoints: points("All points of the item."),
    steps: Type.Array(
      Type.Union([InputStep, MatchStep, WeightStep, CarbonStep, NutritionStep, HealthStep, ExclusionStep, PointsStep], {
        description: "A step; `step` is its name.",
      }),
      { description: "The steps in order, from the sent or read item to its points." },
    ),
    extras: Type.Optional(
      Type.Array(ItemExtra, {
        description: "Its `bonusPoints` by tier and campaign. Only under a programme with tiers or campaigns.",
      }),
    ),
    alternatives: Type.Optional(
      Type.Array(Alternative, {
        description:
          "Up to three foods of the same use that rate better, the best first: of the catalogue of today, not of the day " +
          "when it was booked. Only for items rated C or worse; empty where the catalogue has none.",
      }),
    ),
  },
  { title: "ItemExplanation", description: "One item, step by step." },
);
export type ItemExplanation = Static<typeof ItemExplanation>;
/** A step: its name, its figures, and its text. */
export type Step = ItemExplanation["steps"][number];
/** The figures of a step, without its name and text. */
export type Figures<Name extends Step["step"]> = Omit<Extract<Step, { step: Name }>, "step" | "text">;

export const CorrectionStateSchema = Type.Object(
  {
    merchantName: text("The merchant's name."),
    transactionTimestamp: text("Time of the purchase. RFC 3339, UTC, milliseconds."),
    totalAmount: money("Amount paid."),
    currency: text("ISO 4217 code."),
    totalPoints: points("Points of the receipt."),
    items: Type.Array(
      Type.Object(
        {
          id: text("The line's id."),
          name: text("As printed, or as corrected."),
          qty: Type.Number({ description: "Pieces, or kilograms or litres." }),
          matchedIngredientName: text("The food; empty if there is none."),
          totalServicePoints: points("All points of the line."),
          exclusionReason: nullable(text("Why it earns nothing; null if it counts.")),
        },
        { title: "CorrectedLine", description: "A line of a receipt before or after a correction." },
      ),
      { description: "The lines, those that earn points first." },
    ),
  },
  { title: "CorrectionState", description: "A receipt before or after a correction." },
);

const CorrectionExplanation = Type.Object(
  {
    receiptId: text("The receipt's id."),
    relatedTransactionID: text("The award that was corrected."),
    reason: text("The reason as you sent it."),
    before: CorrectionStateSchema,
    after: CorrectionStateSchema,
  },
  { title: "CorrectionExplanation", description: "What a correction has changed. The record has the difference only." },
);

/** The response of the explanation endpoint, without its wrapper. */
export const Explanation = Type.Object(
  {
    transactionId: text("The record's id."),
    source: oneOf(["receipt", "meal", "food", "manual"], "Kind of the submission; manual: a bonus of the programme."),
    createdAt: instant("When it was booked."),
    rule: text("The points rule that applied."),
    catalogueVersion: text("The catalogue version that applied."),
    totalPoints: points("All points of the record."),
    totalHealthPoints: points("Points for health."),
    totalCarbonPoints: points("Points for carbon."),
    totalBonusPoints: points("Points of the items that tiers and campaigns have added."),
    arithmetic: Type.Object(
      {
        sumOfCells: text("The sum of all cells."),
        divisor: text("Divisor of the sum."),
        earned: text("The quotient, rounded down unless `rounding` differs."),
        rounding: Type.Optional(oneOf(ROUNDINGS, "How the quotient becomes whole points; down if absent.")),
        pointsMax: points("Maximum of one record."),
        capped: Type.Boolean({ description: "True when the record would have earned more than the maximum." }),
        dayCut: Type.Optional(
          Type.Object(
            {
              limit: oneOf(
                LIMIT_NAMES,
                "The limit: all points of a user, meals that earn points, or points from foods; in a day, week or month.",
              ),
              max: Type.Integer({ minimum: 0, description: "Value of the limit." }),
              day: text(
                "The day on which the submission was accepted, or the first of its week or month, as in `2026-10-25`.",
              ),
              timeZone: Type.Optional(text("The time zone of the day; UTC if absent.")),
              used: Type.Integer({
                minimum: 0,
                description: "Part of the limit used in that time before this record.",
              }),
              uncutPoints: points("Points of the record without the limit."),
            },
            {
              title: "DayCut",
              description:
                "The reduction by a limit of the application or its programme; present only if there was one. Limits are off unless set.",
            },
          ),
        ),
        spendCut: Type.Optional(
          Type.Object(
            {
              minimum: money("The total that a receipt must reach."),
              amount: money("The total of this one."),
              currency: text("Its currency."),
              uncutPoints: points("Points that it would have earned."),
            },
            {
              title: "SpendCut",
              description:
                "Present only if the receipt earned nothing because its total is below the programme's minimum.",
            },
          ),
        ),
        text: text("The step in words."),
      },
      { title: "Arithmetic", description: "How the points of the record were computed." },
    ),
    extras: Type.Optional(
      Type.Array(ExtraExplanation, {
        description:
          "What the user's tier and campaigns have added, in the order in which it was computed; each from base points " +
          "alone. Only under a programme with tiers or campaigns.",
      }),
    ),
    items: Type.Array(ItemExplanation, { description: "Every item, whether it earned points or not." }),
    correction: Type.Optional(CorrectionExplanation),
    bonus: Type.Optional(BonusExplanation),
    text: text("The record in words."),
  },
  { title: "Explanation", description: "How the points of a record were computed." },
);
export type Explanation = Static<typeof Explanation>;
