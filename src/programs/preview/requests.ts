import { Type } from "typebox";
import type { Static } from "typebox";
import { count, instant, nullable, oneOf, text } from "../../http/schema-members.ts";
import { ProgramDefinition } from "../definition.ts";
import { DAYS_DEFAULT, DAYS_MAX, FAILURES, PREVIEW_STATES, stateOfPreview } from "./preview.ts";
import type { Preview } from "./preview.ts";
import { PreviewResult } from "./schema.ts";

/** A programme to preview. */
export const PreviewBody = Type.Object(
  {
    definition: Type.Optional(ProgramDefinition),
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: "The number of a saved version, in place of a definition." }),
    ),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: DAYS_MAX,
        description: `Days of the programme's time zone, today included. Default: ${DAYS_DEFAULT}.`,
      }),
    ),
    pointValue: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000,
        description: "What a point costs, for the cost: at most six decimals.",
      }),
    ),
  },
  { title: "ProgramPreviewRequest", description: "A programme to preview: either a definition or a version." },
);

/** The same for validation: a definition has errors of its own, with hints (`readDefinition`). */
export const PreviewEnvelope = Type.Object({
  ...PreviewBody.properties,
  definition: Type.Optional(Type.Unknown()),
});

const ProgramPreview = Type.Object(
  {
    id: text("Its id."),
    state: oneOf(
      PREVIEW_STATES,
      "waiting: not begun. running: see `replayed`. finished: see `result`. failed: see `failure`.",
    ),
    version: nullable(Type.Integer({ minimum: 1 }), "The saved version; null: a definition that was sent."),
    days: Type.Integer({ minimum: 1, description: "The days that are replayed." }),
    replayed: count("Records replayed so far."),
    total: nullable(count("Records to replay; null until they are counted.")),
    result: nullable(PreviewResult, "The result; null until it is finished."),
    failure: nullable(oneOf(FAILURES, "time_out: it took too long, so ask for fewer days. internal: our error.")),
    createdAt: instant("When it was requested."),
    finishedAt: nullable(instant("When it was finished or failed.")),
  },
  { title: "ProgramPreview", description: "A preview of a programme." },
);

export const PreviewResponse = Type.Object(
  { preview: ProgramPreview },
  { title: "ProgramPreviewResponse", description: "A preview." },
);

/** A preview as the API shows it. */
export function presentPreview(preview: Preview): Static<typeof ProgramPreview> {
  const { attempts: _attempts, pointValue: _pointValue, createdAt, finishedAt, ...rest } = preview;
  return {
    ...rest,
    state: stateOfPreview(preview),
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}
