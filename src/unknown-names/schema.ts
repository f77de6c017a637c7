import { Type } from "typebox";
import type { Static } from "typebox";
import { Candidate, name } from "../foods/schema.ts";
import { count, instant, money, nullable, oneOf, points, text } from "../http/schema-members.ts";

const times = (of: string) => count(`Number of ${of} that name it.`);

export const UnknownName = Type.Object(
  {
    id: text("The name's id, as long as it is listed."),
    name: text("As it is written most often. Sizes, case and accents make no other name."),
    times: times("submissions"),
    users: count("Number of users."),
    sources: Type.Object(
      { receipt: times("receipts"), meal: times("meals"), food: times("foods") },
      { description: "The submissions by their kind." },
    ),
    spend: Type.Array(Type.Object({ currency: text("ISO 4217 code."), amount: money("Paid for it.") }), {
      description: "What was paid for it, by currency; amounts that were not sent or printed are missing.",
    }),
    merchants: Type.Array(Type.Object({ merchantName: text("The merchant."), times: times("submissions") }), {
      description: "Up to three merchants, the most frequent first.",
    }),
    firstSeen: instant("The first of these submissions."),
    lastSeen: instant("The last of them."),
    candidates: Type.Array(Candidate, {
      description: "Up to three foods that it may mean, by today's catalogue and words.",
    }),
  },
  { title: "UnknownName", description: "A name that nothing was matched with." },
);
export type UnknownName = Static<typeof UnknownName>;

/** What a name means, as it is saved or tried. */
const meaning = {
  foodId: Type.Optional(name("A food of the catalogue or one of your own products. One of the three.")),
  gtin: Type.Optional(name("A product: the number under the bar code. One of the three.")),
  notFood: Type.Optional(Type.Literal(true, { description: "It is not a food. One of the three." })),
  merchantName: Type.Optional(
    Type.String({ maxLength: 255, description: "Only at this merchant; omitted or empty: at any merchant." }),
  ),
};
export const MeaningBody = Type.Object(meaning, {
  title: "NameMeaning",
  description: "What a name means. Exactly one of `foodId`, `gtin` and `notFood` is required.",
});
export type MeaningBody = Static<typeof MeaningBody>;

/** The same in a query, where `notFood` is a text. */
export const MeaningQuery = Type.Object({
  ...meaning,
  notFood: Type.Optional(Type.Enum(["true"], { type: "string", description: "It is not a food. One of the three." })),
});

export const ChangedRecord = Type.Object(
  {
    userID: text("The user's id."),
    transactionID: text("The award's id."),
    trackId: text("The submission's id."),
    source: oneOf(["receipt", "meal", "food"], "Kind of the submission."),
    pointsBefore: points("Points of the record with its corrections."),
    pointsAfter: points("Points that it would have."),
  },
  { title: "ChangedRecord", description: "An award that would have other points." },
);

export const MeaningPreview = Type.Object(
  {
    submissions: count("Submissions with the name that were looked at: the newest, at most 200."),
    scored: count("Those with an award, which were scored again."),
    records: count("Awards that would have other points, ratings or foods."),
    pointsBefore: points("Points of these awards."),
    pointsAfter: points("Points that they would have."),
    changes: Type.Array(ChangedRecord, { description: "The first five of them, the newest first." }),
    food: nullable(text("The food or product that the name would mean; null where it cannot be rated.")),
  },
  { title: "MeaningPreview", description: "What a meaning would change of the past. Nothing is booked." },
);
export type MeaningPreview = Static<typeof MeaningPreview>;
