import { Type } from "typebox";
import { oneOf, pathId } from "../../http/schema-members.ts";
import { operation } from "../../http/operation.ts";
import responses from "../../openapi-examples/program-previews.json" with { type: "json" };
import { FORMATS } from "./preview.ts";
import { PreviewBody, PreviewResponse } from "./requests.ts";

const previewInPath = pathId("The id of a preview.");

/** POST /programs/preview */
export const previewProgram = operation({
  id: "previewProgram",
  method: "POST",
  path: "/programs/preview",
  tag: "Points",
  scope: "catalogue.write",
  summary: "Preview a programme",
  description:
    "Replays what was accepted in the last days as if this programme had been in force, and compares it with what was booked: " +
    "points and cost by day, source, food group, campaign and bonus, and who would have more or less. It uses the same " +
    "rules as booking. Nothing is booked or changed. The preview is made in the background: read its progress and its " +
    "result with its `id`. A million records take minutes. One at a time for an application: a second one gets 503 with " +
    "Retry-After. The result is kept for a day, and the newest 20 of them.",
  body: PreviewBody,
  examples: [
    {
      summary: "A draft that is not saved",
      value: {
        definition: { name: "Autumn 2026", points: { receipt: { climate: { A: 8, B: 6 } } } },
        days: 30,
        pointValue: 0.01,
      },
    },
  ],
  responses: {
    200: {
      description: "The preview, waiting.",
      schema: PreviewResponse,
      examples: [{ summary: "A new preview", value: responses.previewProgram }],
    },
  },
  problems: ["notFound"],
});

/** GET /program-previews/{id} */
export const getProgramPreview = operation({
  id: "getProgramPreview",
  method: "GET",
  path: "/program-previews/:id",
  tag: "Points",
  scope: "catalogue.read",
  summary: "Get a preview of a programme",
  description:
    "Its progress, and its result once it is finished. Ask every second or two: small ones are finished at once. With " +
    "`format=csv` the result is CSV, one line for each row of each view; not found before it is finished.",
  params: previewInPath,
  query: Type.Object({
    format: Type.Optional(oneOf(FORMATS, "`csv` for the figures of the result alone; `json` if absent.")),
  }),
  responses: {
    200: {
      description: "The preview.",
      schema: PreviewResponse,
      examples: [{ summary: "A finished preview", value: responses.getProgramPreview }],
      alsoText: "text/csv",
    },
  },
  problems: ["notFound"],
});
