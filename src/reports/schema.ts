import { Type } from "typebox";
import { nullable, oneOf, text } from "../http/schema-members.ts";
import { PERIODS } from "./periods.ts";
import { REPORTS } from "./report.ts";

const day = (description: string) => nullable(Type.String({ format: "date", description }));

export const Report = Type.Object(
  {
    report: oneOf(REPORTS, "The name of the report."),
    by: nullable(oneOf(PERIODS, "The periods of its rows; null for a report of the moment.")),
    from: day("The first day of the first period; null for a report of the moment."),
    till: day("The last day of the last period; null for a report of the moment."),
    completeSince: day(
      "Days before have no figures yet: they are from a release without reports. Null: all days have them.",
    ),
    columns: Type.Array(text("A column."), { description: "The members of each row, in the order of the CSV." }),
    rows: Type.Array(
      Type.Record(
        Type.String(),
        Type.Union([Type.String(), Type.Number(), Type.Null()], { description: "The value of a column." }),
        { description: "The values by column. `from` is the first day of the row's period." },
      ),
      { description: "The periods ascending." },
    ),
  },
  { title: "Report", description: "A report." },
);
