import { Type } from "typebox";
import type { Static } from "typebox";
import { count, instant, nullable, points, text } from "../../http/schema-members.ts";
import { costOf } from "./figures.ts";
import type { Figures, Sum, Sums, UserSum } from "./figures.ts";

const difference = {
  pointsNow: points("Points that were booked."),
  pointsDraft: points("Points under the draft."),
  difference: points("Points under the draft less those booked."),
};
const cost = (of: string) =>
  nullable(Type.Number({ description: `Cost of the ${of}: points times \`pointValue\`, exact. Null without it.` }));
const sum = {
  records: count("Number of records under the draft, its bonuses among them."),
  ...difference,
  costNow: cost("points that were booked"),
  costDraft: cost("points under the draft"),
  costDifference: cost("difference"),
};
const Total = Type.Object(sum, { title: "PreviewSum", description: "Points now and under the draft, and their cost." });
const rows = <const Member extends string>(title: string, member: Member, what: string, description: string) => {
  const named = { [member]: text(what) } as Record<Member, ReturnType<typeof text>>;
  return Type.Array(Type.Object({ ...named, ...sum }, { title, description: "One row." }), { description });
};

const PreviewUser = Type.Object(
  { userID: text("The user's id."), ...difference },
  { title: "PreviewUser", description: "A user and what the draft would change for them." },
);

const Users = Type.Object(
  {
    count: count("Users with a record in the time."),
    winners: count("Users who would have more."),
    losers: count("Users who would have less."),
    mostGained: Type.Array(PreviewUser, { description: "Those who would gain most, at most 20." }),
    mostLost: Type.Array(PreviewUser, { description: "Those who would lose most, at most 20." }),
  },
  { title: "PreviewUsers", description: "Who would have more, and who less." },
);

const NotReplayed = Type.Object(
  {
    erased: count("Of erased users: what they bought and ate is gone."),
    withoutInputs: count("Of an old release that kept no inputs."),
    reversed: count("Taken back as a whole: they give nothing now, and would give nothing. They count for limits."),
    corrected: count(
      "Corrected, taken back in part or scored again later. They are in the sums as they were booked at first.",
    ),
  },
  { title: "PreviewNotReplayed", description: "Numbers of awards that the sums do not or not fully have." },
);

/** The result of a preview. */
export const PreviewResult = Type.Object(
  {
    name: text("The name of the programme."),
    version: nullable(Type.Integer({ minimum: 1 }), "The saved version; null: a definition that was sent."),
    timeZone: text("The time zone of the days."),
    from: instant("The start of the first day. Submissions accepted from then on are replayed."),
    until: instant("When the data was read. It is one state of all records."),
    pointValue: nullable(Type.Number({ description: "The value of a point, as sent." })),
    total: Total,
    byDay: rows("PreviewDay", "day", "The day of the acceptance, as 2026-10-25.", "By day, ascending."),
    bySource: rows("PreviewSource", "source", "receipt, meal, food, or bonus.", "By what was submitted."),
    byFoodGroup: rows(
      "PreviewFoodGroup",
      "foodGroup",
      "The group of the catalogue; `unknown` where the food has none.",
      "Points of items by the group of their food. `records` is the number of records with such items.",
    ),
    byCampaign: rows("PreviewCampaign", "campaign", "The id of the campaign.", "Points of campaigns."),
    byBonus: rows("PreviewBonus", "bonus", "The bonus, as `welcome` or `streak week`.", "Points of bonuses."),
    users: Users,
    notReplayed: NotReplayed,
    notes: Type.Array(Type.String(), { description: "What to know when reading the figures, as sentences." }),
  },
  { title: "PreviewResult", description: "What a programme would have given, beside what was booked." },
);
export type PreviewResult = Static<typeof PreviewResult>;

/** What a preview is about. */
export interface PreviewAbout {
  readonly name: string;
  readonly version: number | null;
  readonly timeZone: string;
  readonly from: Date;
  readonly until: Date;
  readonly pointValue: number | null;
  readonly notReplayed: Static<typeof NotReplayed>;
  readonly notes: readonly string[];
}

/** The result as the API and the CLI show it. */
export function presentResult(figures: Figures, about: PreviewAbout): PreviewResult {
  const { from, until, pointValue, notReplayed, notes, ...rest } = about;
  const present = (each: Sum) => presentSum(each, pointValue);
  const named = <Member extends string>(member: Member, sums: Sums) =>
    sums.map(({ key, ...each }) => ({ [member]: key, ...present(each) }) as Row<Member>);
  const { users } = figures;
  return {
    ...rest,
    from: from.toISOString(),
    until: until.toISOString(),
    pointValue,
    total: present(figures.total),
    byDay: named("day", figures.byDay),
    bySource: named("source", figures.bySource),
    byFoodGroup: named("foodGroup", figures.byFoodGroup),
    byCampaign: named("campaign", figures.byCampaign),
    byBonus: named("bonus", figures.byBonus),
    users: {
      ...users,
      mostGained: users.mostGained.map(presentUser),
      mostLost: users.mostLost.map(presentUser),
    },
    notReplayed,
    notes: [...notes],
  };
}

type PresentedSum = Static<typeof Total>;
type Row<Member extends string> = PresentedSum & Record<Member, string>;

function presentSum({ records, pointsNow, pointsDraft }: Sum, pointValue: number | null): PresentedSum {
  const costIn = (sumOfPoints: number) => (pointValue === null ? null : Number(costOf(sumOfPoints, pointValue)));
  const change = pointsDraft - pointsNow;
  return {
    records,
    pointsNow,
    pointsDraft,
    difference: change,
    costNow: costIn(pointsNow),
    costDraft: costIn(pointsDraft),
    costDifference: costIn(change),
  };
}

function presentUser({ userId, pointsNow, pointsDraft }: UserSum): Static<typeof PreviewUser> {
  return { userID: userId, pointsNow, pointsDraft, difference: pointsDraft - pointsNow };
}
