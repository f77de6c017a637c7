import { Type } from "@fastify/type-provider-typebox";
import type { Static, TProperties } from "@fastify/type-provider-typebox";
import { LIMIT_NAMES } from "./day-limits/limits.ts";
import { co2e, instant, nullable, oneOf, points, rating, text } from "../http/members.ts";

const grade = oneOf(["A", "B", "C", "D", "E"], "The rating as a letter.");
const named = (description: string) => Type.Object({ id: text("Its id."), name: text("Its name.") }, { description });
/** Read only: they are arrays that the record keeps. */
const texts = (description: string) => Type.Immutable(Type.Array(Type.String(), { description }));
const author = text("api: your application; operator: the operator for it.");

function step<const Name extends string, Members extends TProperties>(
  name: Name,
  title: string,
  description: string,
  members: Members,
) {
  return Type.Object(
    {
      step: Type.Literal(name, { description: "Which step it is." }),
      ...members,
      text: text("The same in words."),
    },
    { title, description },
  );
}

const InputStep = step("input", "InputStep", "What was sent or read.", {
  name: text("As sent or printed."),
  foodId: text("As sent; else empty."),
  weight: nullable(Type.Number({ description: "Of one unit; null: not stated." })),
  unit: nullable(text("Of `weight`; null: not stated.")),
  quantity: Type.Number({ description: "How many units." }),
  nutrition: texts("The members of nutrition that were sent."),
});

const MatchStep = step("match", "MatchStep", "What it was taken for. Only `text` where no word of the name is known.", {
  by: Type.Optional(
    oneOf(
      ["own_food_id", "catalogue_id", "gtin", "alias", "name", "product_name"],
      "How it was found: by your own foodId, the catalogue's id, a bar code, what you taught, its name, or a product's name.",
    ),
  ),
  food: Type.Optional(nullable(named("The food that figures were taken from; null where nothing was accepted."))),
  matchedName: Type.Optional(nullable(text("The name that fitted; null unless it was found by name."))),
  confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "How sure that is." })),
  product: Type.Optional(
    nullable(
      Type.Object(
        {
          source: text("Whose data it is."),
          code: text("The product's id there."),
          name: text("Its name."),
          revision: Type.Integer({ description: "The import that last changed it." }),
        },
        { description: "The product that it is; null where it is none that is known." },
      ),
    ),
  ),
  reference: Type.Optional(
    nullable(
      Type.Object(
        { id: text("Its id."), name: text("Its name."), by: text("What told it.") },
        { description: "The food from which comes what the product does not say." },
      ),
    ),
  ),
  alias: Type.Optional(
    nullable(
      Type.Object(
        {
          id: text("Its id."),
          name: text("The name as taught."),
          merchantName: nullable(text("At which merchant; null: at any.")),
          author,
          createdAt: instant("When it was taught."),
        },
        { description: "What was taught of the name; null where nothing was." },
      ),
    ),
  ),
  words: Type.Optional(
    Type.Immutable(
      Type.Array(
        Type.Object({
          id: Type.Optional(text("The word's id.")),
          word: text("The word."),
          means: text("What was read in its place; empty: it was left out."),
          author,
          createdAt: instant("When it was taught."),
        }),
        { description: "Words of your own that were read in place of others." },
      ),
    ),
  ),
});

const WeightStep = step("weight", "WeightStep", "What it weighs.", {
  totalGrams: nullable(Type.Number({ description: "All units together; null: not known." })),
  gramsPerUnit: nullable(Type.Number({ description: "One unit; null: not known." })),
  assumed: Type.Boolean({ description: "Neither sent nor printed: the usual portion or pack." }),
});

const CarbonStep = step("carbon", "CarbonStep", "What it means for the climate.", {
  kgCo2ePerKg: Type.Number({ description: "Kilograms of CO2-equivalent for one kilogram." }),
  source: text("Where the figure is from."),
  method: text("How it became a rating."),
  totalCO2e: co2e("Of the whole line."),
  co2eLow: co2e("It may be as little as this."),
  co2eHigh: co2e("It may be as much as this."),
  rating: rating("Carbon rating."),
  grade,
  ratingUncertain: Type.Boolean({ description: "Between the low and the high figure lies another rating." }),
  reconstitution: nullable(
    Type.Number({ description: "So many kilograms are made of one (a powder, say): rated as prepared. Else null." }),
  ),
});

const NutritionStep = step("nutrition", "NutritionStep", "Its nutrition.", {
  basis: oneOf(
    ["input", "input+reference", "reference"],
    "What was sent, that and the catalogue's, or the catalogue's.",
  ),
  source: text("Where what was not sent is from."),
  per100: Type.Record(Type.String(), Type.Number(), {
    description: "Energy and nutrients in 100 g; `fvlPct` is the percentage of fruit, vegetables and legumes.",
  }),
  imputed: texts("Members taken from the catalogue."),
  flags: texts("What was odd about the values sent."),
});

const HealthStep = step("health", "HealthStep", "What it means for health.", {
  method: Type.Literal("nutri-score-2023", { description: "The Nutri-Score, as revised in 2023." }),
  class: text("The class of foods whose tables hold."),
  components: Type.Object(
    {
      negative: Type.Record(Type.String(), Type.Number(), { description: "Points that make it worse." }),
      positive: Type.Record(Type.String(), Type.Number(), { description: "Points that make it better." }),
    },
    { description: "What the score is made of." },
  ),
  score: Type.Integer({ description: "Negative minus positive points: the lower the better." }),
  rating: rating("Health rating."),
  grade,
});

const ExclusionStep = step("exclusion", "ExclusionStep", "Why it earns nothing.", {
  reason: text("As `exclusionReason` of the item."),
});

const PointsStep = step("points", "PointsStep", "What it earned.", {
  rule: text("By which rule."),
  healthBase: Type.Number({ description: "What its health rating is worth." }),
  carbonBase: Type.Number({ description: "What its carbon rating is worth." }),
  confidenceHalves: Type.Integer({ description: "2 where the match is sure, 1 where it is not: half the points." }),
  weight: text("What a base is multiplied with, as a whole number of any size."),
  healthCell: text("Health base times weight."),
  carbonCell: text("Carbon base times weight."),
  divisor: text("What cells are divided by."),
  healthPoints: points("Its points for health."),
  carbonPoints: points("Its points for the climate."),
});

const ItemExplanation = Type.Object(
  {
    id: text("The item's id."),
    name: text("As sent or printed."),
    counted: Type.Boolean({ description: "False: it stands in `excludedItems`." }),
    totalPoints: points("All its points."),
    steps: Type.Array(
      Type.Union([InputStep, MatchStep, WeightStep, CarbonStep, NutritionStep, HealthStep, ExclusionStep, PointsStep], {
        description: "A step; `step` says which.",
      }),
      { description: "From what was sent or read to its points, in order." },
    ),
  },
  { title: "ItemExplanation", description: "One item, step by step." },
);
export type ItemExplanation = Static<typeof ItemExplanation>;
/** A step of the way: its name, its figures, and the same in words. */
export type Step = ItemExplanation["steps"][number];
/** The figures of a step, of which its words are made. */
export type Figures<Name extends Step["step"]> = Omit<Extract<Step, { step: Name }>, "step" | "text">;

/** The answer of the explanation endpoint, without its wrapper. */
export const Explanation = Type.Object(
  {
    transactionId: text("The record's id."),
    source: oneOf(["receipt", "meal", "food"], "What it was earned with."),
    createdAt: instant("When it was booked."),
    rule: text("The rule of points that held."),
    catalogueVersion: text("The version of the catalogue that held."),
    totalPoints: points("All points of the record."),
    totalHealthPoints: points("Those for health."),
    totalCarbonPoints: points("Those for the climate."),
    arithmetic: Type.Object(
      {
        sumOfCells: text("The sum of all cells."),
        divisor: text("What it is divided by."),
        earned: text("The whole part of that."),
        pointsMax: points("The most that one record may earn."),
        capped: Type.Boolean({ description: "It would have earned more." }),
        dayCut: Type.Optional(
          Type.Object(
            {
              limit: oneOf(
                LIMIT_NAMES,
                "Which of the application's limits a day: all points of a user, meals that earn points, points from foods.",
              ),
              max: Type.Integer({ minimum: 0, description: "What it was set to." }),
              day: text("The day that was full: the UTC day on which the submission was accepted, as in `2026-10-25`."),
              used: Type.Integer({ minimum: 0, description: "What was used of it on that day before this record." }),
              uncutPoints: points("What the record would have earned."),
            },
            {
              title: "DayCut",
              description: "What a limit a day took off the record; only where one did. Limits are off unless set.",
            },
          ),
        ),
        text: text("The same in words."),
      },
      { title: "Arithmetic", description: "How the points of the record were computed." },
    ),
    items: Type.Array(ItemExplanation, { description: "Every item, counted or not." }),
    text: text("The whole in words."),
  },
  { title: "Explanation", description: "Why a record is worth what it is." },
);
export type Explanation = Static<typeof Explanation>;
