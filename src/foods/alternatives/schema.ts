import { Type } from "typebox";
import type { Static } from "typebox";
import { rating, text } from "../../http/schema-members.ts";

export const Alternative = Type.Object(
  {
    foodId: text("The food's id."),
    name: text("The food's name."),
    use: text("What both are eaten or cooked as, as in `minced meat`."),
    co2ePerKg: Type.Number({ description: "Kilograms of CO2-equivalent for one kilogram." }),
    carbonImpactRating: rating("Carbon rating."),
    healthImpactRating: rating("Health rating."),
    carbonDataSource: text("The source of the CO2e figure, as `<source>:<code>`."),
    text: text("The alternative in words."),
  },
  {
    title: "Alternative",
    description: "A food of the same use that rates better in carbon or health, and worse in neither.",
  },
);
export type Alternative = Static<typeof Alternative>;
