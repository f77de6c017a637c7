import { routeOf } from "../http/operation.ts";
import { knownValues } from "../http/query.ts";
import type { Server } from "../http/server.ts";
import { refuseErrors } from "../http/validation.ts";
import type { Idempotency } from "../idempotency/idempotency.task.ts";
import { linkHeader } from "../lists/link.ts";
import { readPage, slice } from "../lists/page.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { Problem } from "../problems.ts";
import type { ProgramDefinition } from "./definition.ts";
import * as operations from "./operations.ts";
import type { Known } from "./read-definition.ts";
import { NewProgramEnvelope, presentVersion } from "./schema.ts";
import { definitionIn } from "./sent-definition.ts";
import * as store from "./store.ts";
import { LEAD_MS, inForceAt, stateOf } from "./versions.ts";
import type { ProgramVersion } from "./versions.ts";

export interface ProgramRouteDeps {
  readonly database: Database;
  readonly idempotency: Idempotency;
  readonly publicUrl: string;
  /** What definitions refer to. */
  readonly known: Known;
  readonly now: () => Date;
}

const AUTHOR = "api";

/** Adds the routes of an application's programme. */
export function programRoutes(server: Server, deps: ProgramRouteDeps): void {
  addSaving(server, deps);
  addReading(server, deps);
  addPublishing(server, deps);
}

function addSaving(server: Server, { idempotency, known, now }: ProgramRouteDeps): void {
  const declared = routeOf(operations.saveProgram);
  const schema = { ...declared.schema, body: NewProgramEnvelope };
  server.post(operations.saveProgram.path, { ...declared, schema, attachValidation: true }, async (request, reply) => {
    const read = definitionIn(request.body, known);
    refuseErrors(request, () => ("errors" in read ? read.errors : {}));
    const { note = "", author = AUTHOR } = request.body;
    const applicationId = request.application.id;
    const version = { definition: read as ProgramDefinition, note, author: author.trim() };
    return idempotency.once(request, reply, async (tx) => {
      await store.lockPrograms(tx, applicationId);
      const saved = await store.saveVersion(tx, applicationId, version, now());
      return { response: { program: presentVersion(saved, "draft") }, userId: null };
    });
  });
}

function addReading(server: Server, { database, publicUrl, now }: ProgramRouteDeps): void {
  server.get(operations.listPrograms.path, routeOf(operations.listPrograms), async (request, reply) => {
    const query = readPage(knownValues(request, true), now());
    if ("errors" in query) throw new Problem("validation", { errors: query.errors });
    const applicationId = request.application.id;
    const count = await store.countVersions(database, applicationId);
    const link = linkHeader(publicUrl, request.url, query.page, count);
    if (link !== null) void reply.header("link", link);
    const { low, high } = slice(query.page, { low: 1, high: count });
    const size = high - low + 1;
    const rows = size < 1 ? [] : await store.listVersions(database, applicationId, count - high, size);
    const present = await presenterOf(database, applicationId, now());
    return { programs: rows.map(present), count };
  });

  server.get(operations.getCurrentProgram.path, routeOf(operations.getCurrentProgram), async ({ application }) => {
    const at = now();
    const current = inForceAt(await store.publishedVersions(database, application.id), at);
    const version = current && (await store.findVersion(database, application.id, current.version));
    return { program: version && presentVersion(version, "in_force") };
  });

  server.get(operations.getCampaignUsage.path, routeOf(operations.getCampaignUsage), async ({ application }) => {
    return { campaigns: await store.usageOfCampaigns(database, application.id, now()) };
  });

  server.get(operations.getProgram.path, routeOf(operations.getProgram), async ({ application, params }) => {
    const version = await store.findVersion(database, application.id, versionIn(params));
    if (!version) throw new Problem("notFound");
    return { program: (await presenterOf(database, application.id, now()))(version) };
  });
}

function addPublishing(server: Server, { idempotency, now }: ProgramRouteDeps): void {
  server.post(operations.publishProgram.path, routeOf(operations.publishProgram), async (request, reply) => {
    const version = versionIn(request.params);
    const applicationId = request.application.id;
    const { startsAt, author = AUTHOR } = request.body;
    return idempotency.once(request, reply, async (tx) => {
      await store.lockPrograms(tx, applicationId);
      // Under the lock: a start must be ahead of the commit, not of the wait for it.
      const at = now();
      const least = new Date(at.getTime() + LEAD_MS);
      const start = startsAt === undefined ? least : new Date(startsAt);
      if (start < least) {
        throw new Problem("validation", { errors: { startsAt: ["must be at least 10 seconds ahead"] } });
      }
      const publication = { startsAt: start, author: author.trim() };
      const published = await store.publishVersion(tx, applicationId, version, publication, at);
      if (!published) throw new Problem((await isKnown(tx, applicationId, version)) ? "notADraft" : "notFound");
      return { response: { program: presentVersion(published, "scheduled") }, userId: null };
    });
  });

  server.post(operations.withdrawProgram.path, routeOf(operations.withdrawProgram), async (request, reply) => {
    const version = versionIn(request.params);
    const applicationId = request.application.id;
    const { author = AUTHOR } = request.body;
    return idempotency.once(request, reply, async (tx) => {
      await store.lockPrograms(tx, applicationId);
      const at = now();
      const withdrawal = { startsAfter: new Date(at.getTime() + LEAD_MS), author: author.trim() };
      const withdrawn = await store.withdrawVersion(tx, applicationId, version, withdrawal, at);
      if (!withdrawn) throw new Problem((await isKnown(tx, applicationId, version)) ? "notScheduled" : "notFound");
      return { response: { program: presentVersion(withdrawn, "withdrawn") }, userId: null };
    });
  });
}

async function isKnown(tx: Tx, applicationId: string, version: number): Promise<boolean> {
  return (await store.findVersion(tx, applicationId, version)) !== null;
}

/** Presents versions of an application with their states at a moment. */
async function presenterOf(tx: Tx, applicationId: string, at: Date) {
  const current = inForceAt(await store.publishedVersions(tx, applicationId), at)?.version ?? null;
  return (version: ProgramVersion) => presentVersion(version, stateOf(version, current, at));
}

/** The number in the path; 0, which no version has, for what is none. */
function versionIn({ version }: { readonly version: string }): number {
  return /^\d{1,9}$/.test(version) ? Number(version) : 0;
}
