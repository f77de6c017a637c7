// The campaigns of a programme as they are written down: schema, errors, and rules.
import { Type } from "typebox";
import type { Static, TSchema } from "typebox";
import { scaled } from "../decimal.ts";
import { merchantKey } from "../foods/aliases/alias.ts";
import { codeKey } from "../foods/products/gtin.ts";
import { parseInstant } from "../http/formats.ts";
import { oneOf } from "../http/schema-members.ts";
import type { Campaign, CampaignConditions, CampaignEffect } from "../points/campaigns/campaign.ts";
import { foodKey } from "../points/campaigns/campaign.ts";

const CAMPAIGNS_MAX = 50;
const LIST_MAX = 200;
/** Beyond, sums of points would not be exact for long. */
const POINTS_MAX = 1_000_000;
const BUDGET_MAX = 1_000_000_000;

const GRADES = ["A", "B", "C", "D", "E"] as const;
const SOURCES = ["receipt", "meal", "food"] as const;
const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const closed = { additionalProperties: false } as const;
const list = <Each extends TSchema>(each: Each, description: string, maxItems = LIST_MAX) =>
  Type.Optional(Type.Array(each, { minItems: 1, maxItems, description }));
const name = (maxLength: number) => Type.String({ pattern: "\\S", maxLength });
const grades = (of: string) => list(oneOf(GRADES, "A grade."), `Only items with one of these ${of} grades.`, 5);

const When = Type.Object(
  {
    foodGroups: list(name(50), "Groups of the catalogue's foods."),
    foods: list(name(255), "Foods of the catalogue, by id or name."),
    products: list(name(255), "GTINs, or ids of products that you imported."),
    merchants: list(name(255), "Names of merchants."),
    grades: Type.Optional(
      Type.Object(
        { health: grades("health"), climate: grades("climate") },
        { description: "Grades of the item.", ...closed },
      ),
    ),
    sources: list(oneOf(SOURCES, "A kind of submission."), "Kinds of submissions.", 3),
    weekdays: list(oneOf(WEEKDAYS, "A day."), "Days of the week of the acceptance, in the programme's time zone.", 7),
  },
  {
    title: "CampaignConditions",
    description: "What an item must be to count. All conditions must hold; of a list, one entry.",
    ...closed,
  },
);

const Effect = Type.Object(
  {
    multiplier: Type.Optional(
      Type.Number({ exclusiveMinimum: 1, maximum: 100, description: "Multiplies base points; at most two decimals." }),
    ),
    pointsPerItem: Type.Optional(
      Type.Integer({ minimum: 1, maximum: POINTS_MAX, description: "Points for each item that counts." }),
    ),
    pointsPerRecord: Type.Optional(
      Type.Integer({ minimum: 1, maximum: POINTS_MAX, description: "Points for a record with an item that counts." }),
    ),
  },
  { title: "CampaignEffect", description: "What it gives: exactly one of these.", ...closed },
);

const Definition = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 50,
      description: "Letters, digits, `.`, `_` and `-`. The same id in a later version is the same campaign.",
    }),
    name: Type.String({ pattern: "\\S", maxLength: 100, description: "Its name, for people." }),
    from: Type.String({ maxLength: 40, description: "Its first day (`2026-11-01`), or the moment of its start." }),
    till: Type.String({ maxLength: 40, description: "Its last day, or the moment of its end." }),
    when: Type.Optional(When),
    effect: Effect,
    firstUsers: Type.Optional(
      Type.Integer({ minimum: 1, maximum: BUDGET_MAX, description: "Number of users whom it gives points." }),
    ),
    budget: Type.Optional(
      Type.Integer({ minimum: 1, maximum: BUDGET_MAX, description: "Points that it gives in all." }),
    ),
  },
  { title: "Campaign", description: "For some time, some items earn more.", ...closed },
);
export type CampaignDefinition = Static<typeof Definition>;

export const CampaignsDefinition = Type.Array(Definition, {
  maxItems: CAMPAIGNS_MAX,
  description: "Extra points for some time. All that apply to an item add up, each computed from its base points.",
});

/** The campaigns of a definition without errors. */
export function campaignsOf(campaigns: readonly CampaignDefinition[], timeZone: string): Campaign[] {
  return campaigns.map((campaign) => {
    const { id, name, when = {}, effect, firstUsers = null, budget = null } = campaign;
    const { fromMs, untilMs } = momentsOf(campaign, timeZone);
    return {
      id,
      name: name.trim(),
      fromMs: fromMs ?? 0,
      untilMs: untilMs ?? 0,
      timeZone,
      when: conditionsOf(when),
      effect: effectOf(effect),
      firstUsers,
      budget,
    };
  });
}

/** Start and end of a campaign in ms since 1970, the end being the first moment after it; null: it is no time. */
export function momentsOf(
  { from, till }: Pick<CampaignDefinition, "from" | "till">,
  timeZone: string,
): { readonly fromMs: number | null; readonly untilMs: number | null } {
  return { fromMs: momentOf(from, timeZone, 0), untilMs: momentOf(till, timeZone, 1) };
}

/** A moment, or the start of a day, or of the day that is `later`. */
function momentOf(text: string, timeZone: string, later: number): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return parseInstant(text);
  if (parseInstant(`${text}T00:00:00Z`) === null) return null;
  return Temporal.PlainDate.from(text).add({ days: later }).toZonedDateTime(timeZone).epochMilliseconds;
}

function conditionsOf({
  foodGroups,
  foods,
  products,
  merchants,
  grades = {},
  sources,
  weekdays,
}: NonNullable<CampaignDefinition["when"]>): CampaignConditions {
  const ratingOf = (grade: (typeof GRADES)[number]) => (GRADES.indexOf(grade) + 1) as 1 | 2 | 3 | 4 | 5;
  return {
    foodGroups: setOf(foodGroups, (group) => group.trim()),
    foods: setOf(foods, foodKey),
    products: setOf(products, codeKey),
    merchants: setOf(merchants, merchantKey),
    health: setOf(grades.health, ratingOf),
    climate: setOf(grades.climate, ratingOf),
    sources: setOf(sources, (source) => source),
    weekdays: setOf(weekdays, (day) => WEEKDAYS.indexOf(day) + 1),
  };
}

function setOf<Each, Key>(values: readonly Each[] | undefined, keyOf: (value: Each) => Key): ReadonlySet<Key> | null {
  return values ? new Set(values.map(keyOf)) : null;
}

function effectOf({ multiplier, pointsPerItem, pointsPerRecord }: CampaignDefinition["effect"]): CampaignEffect {
  if (multiplier !== undefined) return { kind: "multiplier", amount: Number(scaled(multiplier, 2, "halfUp")) };
  if (pointsPerItem !== undefined) return { kind: "pointsPerItem", amount: pointsPerItem };
  return { kind: "pointsPerRecord", amount: pointsPerRecord ?? 0 };
}
