import { routeOf } from "../../http/operation.ts";
import { knownValues } from "../../http/query.ts";
import type { Server } from "../../http/server.ts";
import { refuseErrors } from "../../http/validation.ts";
import type { Idempotency } from "../../idempotency/idempotency.task.ts";
import { isUuid } from "../../ids.ts";
import { Problem } from "../../problems.ts";
import type { Errors } from "../../problems.ts";
import type { ProgramDefinition } from "../definition.ts";
import type { Known } from "../read-definition.ts";
import { definitionIn, membersOf } from "../sent-definition.ts";
import { findVersion } from "../store.ts";
import { VALUE_DECIMALS, isPointValue } from "./figures.ts";
import { getProgramPreview, previewProgram } from "./operations.ts";
import { DAYS_DEFAULT, FORMATS } from "./preview.ts";
import { previewCsv } from "./printed.ts";
import type { Previews } from "./previews.task.ts";
import { PreviewEnvelope, presentPreview } from "./requests.ts";

export interface PreviewRouteDeps {
  readonly idempotency: Idempotency;
  readonly known: Known;
  readonly previews: Previews;
}

/** Adds the routes of previews. */
export function previewRoutes(server: Server, { idempotency, known, previews }: PreviewRouteDeps): void {
  const declared = routeOf(previewProgram);
  const schema = { ...declared.schema, body: PreviewEnvelope };
  server.post(previewProgram.path, { ...declared, schema, attachValidation: true }, async (request, reply) => {
    const sent = sentDefinition(request.body, known);
    refuseErrors(request, (body) => ({ ...sent.errors, ...valueErrors(body) }));
    const { version = null, days = DAYS_DEFAULT, pointValue = null } = request.body;
    const applicationId = request.application.id;
    return idempotency.once(request, reply, async (tx) => {
      const saved = version === null ? null : await findVersion(tx, applicationId, version);
      const definition = version === null ? sent.definition : (saved?.definition ?? null);
      if (definition === null) throw new Problem("notFound");
      const preview = await previews.request(tx, applicationId, { version, definition, days, pointValue });
      return { response: { preview: presentPreview(preview) }, userId: null };
    });
  });

  server.get(getProgramPreview.path, routeOf(getProgramPreview), async (request, reply) => {
    const format = formatOf(new Map(knownValues(request)).get("format"));
    if (format === null) throw new Problem("validation", { errors: { format: [`must be ${FORMATS.join(" or ")}`] } });
    const { id } = request.params;
    const preview = isUuid(id) ? await previews.find(request.application.id, id) : null;
    if (!preview) throw new Problem("notFound");
    if (format === "json") return { preview: presentPreview(preview) };
    if (preview.result === null) throw new Problem("notFound");
    return reply.type("text/csv; charset=utf-8").send(previewCsv(preview.result));
  });
}

function formatOf(sent: string = "json"): (typeof FORMATS)[number] | null {
  return FORMATS.find((each) => each === sent) ?? null;
}

/** The definition that was sent, or its errors: exactly one of it and a version must be there. */
function sentDefinition(
  body: unknown,
  known: Known,
): { readonly definition: ProgramDefinition | null; readonly errors: Errors } {
  const { definition, version } = membersOf(body);
  if ((definition === undefined) === (version === undefined)) {
    return { definition: null, errors: { definition: ["is required, or version, but not both"] } };
  }
  const read = definition === undefined ? null : definitionIn(body, known);
  return read && "errors" in read ? { definition: null, errors: read.errors } : { definition: read, errors: {} };
}

function valueErrors(body: unknown): Errors {
  const { pointValue } = membersOf(body);
  return typeof pointValue !== "number" || isPointValue(pointValue)
    ? {}
    : { pointValue: [`must not have more than ${VALUE_DECIMALS} decimals`] };
}
