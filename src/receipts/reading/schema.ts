import { Type } from "typebox";
import type { Static } from "typebox";
import { money, nullable, oneOf, points, text } from "../../http/schema-members.ts";
import { exclusionReason } from "../../points/schema.ts";
import { LINE_UNITS } from "../corrections/correction.ts";
import { IMAGE_FIELDS } from "../upload.ts";

const grade = (description: string) => nullable(oneOf(["A", "B", "C", "D", "E"], description));

const places = Type.Array(
  Type.Array(Type.Number(), {
    minItems: 8,
    maxItems: 8,
    description:
      "Four corners, clockwise from the top left: x and y of each, in shares of the width and height of the upright picture.",
  }),
  { description: "Where it is printed, one for each row; none if it was computed or added, or the text was removed." },
);
const parts = Type.Array(Type.Integer({ minimum: 1, maximum: IMAGE_FIELDS.length }), {
  description: "Of each place the picture that it is on, from 1 in the order of `pictures`.",
});
const accuracy = nullable(
  Type.Number({ minimum: 0, maximum: 1, description: "How surely it was read." }),
  "How surely it was read, from 0 to 1; null if a person added it.",
);

const ReadField = Type.Object(
  {
    name: oneOf(["merchantName", "date", "total"], "The field."),
    printed: nullable(text("As read; null if it was not. A total in major units.")),
    accuracy,
    places,
    parts,
  },
  { title: "ReadField", description: "A field of the receipt as it was read." },
);

const ReadLine = Type.Object(
  {
    id: text("The line's id, for corrections."),
    name: text("As printed, or as corrected."),
    printed: nullable(text("As printed; null if a person added the line.")),
    quantity: Type.Number({ description: "Pieces, or kilograms or litres." }),
    unit: oneOf(LINE_UNITS, "Unit of the quantity."),
    totalPrice: money("Of the line."),
    matchedIngredientName: text("The food that it was matched to; empty if there is none."),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: "Confidence of the match; 0 without a food." }),
    exclusionReason: nullable(exclusionReason),
    healthGrade: grade("Health rating; null if it has none."),
    carbonGrade: grade("Carbon rating; null if it has none."),
    points: nullable(points("Points of the line; null if it has earned none, or nothing is credited yet.")),
    accuracy,
    places,
    parts,
  },
  { title: "ReadLine", description: "A line of the receipt as it is now, and where it is printed." },
);

const ReadPicture = Type.Object({
  width: Type.Integer({ description: "Width of the upright picture in pixels." }),
  height: Type.Integer({ description: "Its height." }),
  rotation: Type.Enum([0, 90, 180, 270], {
    type: "integer",
    description: "Degrees, clockwise, to turn the stored image upright.",
  }),
});

/** The response with what was read, and where. */
export const ReceiptPlaces = Type.Object(
  {
    receiptID: text("The receipt's id."),
    picture: nullable(
      ReadPicture,
      "The picture that the places are on, the first one of several; null if it was not read, or its text was removed " +
        "after its time.",
    ),
    pictures: Type.Array(ReadPicture, {
      maxItems: IMAGE_FIELDS.length,
      description: "All pictures in the order in which they were sent, mostly one; empty where `picture` is null.",
    }),
    merchantName: nullable(text("The merchant as it is now.")),
    date: nullable(text("The day as it is now: `YYYY-MM-DD`.")),
    time: nullable(text("The time as it is now: `HH:MM:SS`.")),
    totalAmount: nullable(money("The total as it is now.")),
    currency: nullable(text("ISO 4217 code; null if nothing was matched.")),
    accuracy: nullable(
      Type.Number({ minimum: 0, maximum: 1, description: "Of the whole reading." }),
      "How surely all of it was read; null if it was not.",
    ),
    fields: Type.Array(ReadField, { description: "The fields as first read, or as corrected before their credit." }),
    lines: Type.Array(ReadLine, { description: "The lines as they are now." }),
    similarReceiptID: nullable(
      text(
        "The earlier receipt of your application that it was found to be the same as, also of another user; null: none.",
      ),
    ),
  },
  { title: "ReceiptReading", description: "What was read on a receipt, and where on its picture." },
);
export type ReceiptPlaces = Static<typeof ReceiptPlaces>;
