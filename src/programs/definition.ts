// A programme as it is written down: JSON, every member optional. What is left out is as under points/1.
import { Type } from "typebox";
import type { Static } from "typebox";
import { oneOf } from "../http/schema-members.ts";
import { ROUNDINGS } from "../points/award.ts";
import { ProgramBonuses } from "./bonuses.ts";
import { CampaignsDefinition } from "./campaigns.ts";
import { TiersDefinition } from "./tiers.ts";

/** Beyond, sums of points would not be exact for long. */
const POINTS_MAX = 1_000_000;
const LIST_MAX = 1_000;
const GROUPS_MAX = 100;

const closed = { additionalProperties: false } as const;
const base = (what: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, description: `Points of ${what} for one unit.` }));
const limit = (what: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: POINTS_MAX, description: `Most ${what} of a user.` }));

const GradePoints = Type.Object(
  { A: base("an A"), B: base("a B"), C: base("a C"), D: base("a D"), E: base("an E") },
  { title: "GradePoints", description: "Points of each grade. A grade that is left out keeps its default.", ...closed },
);

const SourcePoints = Type.Object(
  {
    health: Type.Optional(GradePoints),
    climate: Type.Optional(GradePoints),
    multiplier: Type.Optional(
      Type.Number({ minimum: 0, maximum: 100, description: "Multiplies the points; at most two decimals." }),
    ),
    pointsMax: limit("points that one record may earn"),
  },
  { title: "SourcePoints", description: "What one kind of submission earns.", ...closed },
);

const Limits = Type.Object(
  {
    points: limit("points from all submissions together"),
    meals: limit("meals that earn points"),
    foodPoints: limit("points from tracked foods"),
  },
  { title: "ProgramLimits", description: "What a user may earn in one day, week or month.", ...closed },
);

const names = (what: string, { maxItems, maxLength }: { maxItems: number; maxLength: number }) =>
  Type.Optional(Type.Array(Type.String({ pattern: "\\S", maxLength }), { minItems: 1, maxItems, description: what }));
const choice = (what: string, description: string, bounds = { maxItems: LIST_MAX, maxLength: 255 }) =>
  Type.Optional(
    Type.Object(
      { only: names(`Only these ${what}.`, bounds), except: names(`All but these ${what}.`, bounds) },
      { description: `${description} Either \`only\` or \`except\`.`, ...closed },
    ),
  );

/** The JSON of a programme. */
export const ProgramDefinition = Type.Object(
  {
    name: Type.String({ pattern: "\\S", maxLength: 100, description: "Its name, for people." }),
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "IANA time zone of days, weeks and months, as `Europe/Berlin`. UTC if absent.",
      }),
    ),
    points: Type.Optional(
      Type.Object(
        {
          receipt: Type.Optional(SourcePoints),
          meal: Type.Optional(SourcePoints),
          food: Type.Optional(SourcePoints),
          rounding: Type.Optional(oneOf(ROUNDINGS, "How the points of a record become whole; down if absent.")),
        },
        { title: "ProgramPoints", description: "What submissions earn.", ...closed },
      ),
    ),
    limits: Type.Optional(
      Type.Object(
        { day: Type.Optional(Limits), week: Type.Optional(Limits), month: Type.Optional(Limits) },
        { description: "What each user may earn. Weeks begin on Monday.", ...closed },
      ),
    ),
    minimumSpend: Type.Optional(
      Type.Record(Type.String({ pattern: "^[A-Z]{3}$" }), Type.Number({ minimum: 0.01, maximum: 1e6 }), {
        description: "The total that a receipt must reach to earn points, by currency, in major units.",
      }),
    ),
    eligible: Type.Optional(
      Type.Object(
        {
          foodGroups: choice("groups of foods", "By the group of the matched food.", {
            maxItems: GROUPS_MAX,
            maxLength: 50,
          }),
          merchants: choice("merchants", "By the name of the merchant. Submissions without one are not among them."),
          products: choice("products", "By GTIN or by the id of a product that you imported."),
          countries: choice("countries", "By the user's country, as enrolled."),
        },
        {
          title: "ProgramEligible",
          description: "What earns points. What is not eligible is shown, and earns nothing.",
          ...closed,
        },
      ),
    ),
    campaigns: Type.Optional(CampaignsDefinition),
    tiers: Type.Optional(TiersDefinition),
    bonuses: Type.Optional(ProgramBonuses),
  },
  { title: "ProgramDefinition", description: "The rules of a programme.", ...closed },
);
export type ProgramDefinition = Static<typeof ProgramDefinition>;
