import { parseInstant } from "../http/formats.ts";
import type { Tx } from "../postgres/postgres.ts";
import { presentVersion } from "../programs/schema.ts";
import * as store from "../programs/store.ts";
import { LEAD_MS, inForceAt, stateOf } from "../programs/versions.ts";
import type { ProgramVersion } from "../programs/versions.ts";
import { CLIENT_ID, applicationOf } from "./client-id.ts";
import { Refusal, command, optional, required } from "./command.ts";
import type { Command } from "./command.ts";
import { definitionIn } from "./definition-file.ts";
import { PREVIEW_COMMAND } from "./program-preview.ts";

/** More versions than anybody reads; `GET /programs` has them all in pages. */
const LISTED_MAX = 100;

const FILE = required("FILE", "the definition, JSON");
const VERSION = required("N", 'the version, as "program list" shows it');
const AUTHOR = optional("NAME", "who does it, for the history");

export const PROGRAM_COMMANDS: readonly Command[] = [
  command({
    name: "program check",
    summary: "check the definition of a programme: every error is named, and nothing is saved",
    options: { file: FILE },
    examples: ["program check --file autumn.json"],
    run: async ({ options: { file }, print }) => {
      const definition = definitionIn(file);
      print({ definition }, [`${definition.name}: no errors`]);
    },
  }),
  command({
    name: "program save",
    summary: "save the points rules of an application as a draft",
    details:
      "Nothing earns by a draft before it is published. The newest 100 drafts are kept, and all that was published.",
    options: { clientId: CLIENT_ID, file: FILE, note: optional("TEXT", "what it changes and why"), author: AUTHOR },
    examples: ['program save --client-id app_… --file autumn.json --note "More for climate" --author Mia'],
    run: async ({ database, now, options: { clientId, file, note = "", author = "operator" }, print }) => {
      const definition = definitionIn(file);
      const saved = await database.tx(async (tx) => {
        const { id } = await applicationOf(tx, clientId);
        await store.lockPrograms(tx, id);
        return store.saveVersion(tx, id, { definition, note, author }, now);
      });
      print(presentVersion(saved, "draft"), [`version ${saved.version} is saved as a draft`]);
    },
  }),
  PREVIEW_COMMAND,
  command({
    name: "program publish",
    summary: "let a draft come into force, in 10 seconds or at a time of your choice",
    options: {
      clientId: CLIENT_ID,
      version: VERSION,
      startsAt: optional("TIME", "e.g. 2026-12-01T00:00:00Z; at least 10 seconds ahead"),
      author: AUTHOR,
    },
    examples: [
      "program publish --client-id app_… --version 3",
      "program publish --client-id app_… --version 3 --starts-at 2026-12-01T00:00:00Z --author Mia",
    ],
    run: async ({ database, options: { clientId, version, startsAt, author = "operator" }, print }) => {
      const published = await database.tx(async (tx) => {
        const { id } = await applicationOf(tx, clientId);
        await store.lockPrograms(tx, id);
        const at = new Date();
        const publication = { startsAt: startOf(startsAt, at), author };
        const done = await store.publishVersion(tx, id, numberOf(version), publication, at);
        if (!done) throw new Refusal("there is no such draft: a version is published once");
        return done;
      });
      print(presentVersion(published, "scheduled"), [lineOf(published, null, new Date())]);
    },
  }),
  command({
    name: "program withdraw",
    summary: "take back a published version that has not started",
    options: { clientId: CLIENT_ID, version: VERSION, author: AUTHOR },
    examples: ["program withdraw --client-id app_… --version 3"],
    run: async ({ database, options: { clientId, version, author = "operator" }, print }) => {
      const withdrawn = await database.tx(async (tx) => {
        const { id } = await applicationOf(tx, clientId);
        await store.lockPrograms(tx, id);
        const at = new Date();
        const withdrawal = { startsAfter: new Date(at.getTime() + LEAD_MS), author };
        const done = await store.withdrawVersion(tx, id, numberOf(version), withdrawal, at);
        if (!done) throw new Refusal("there is no such version that starts in more than 10 seconds");
        return done;
      });
      print(presentVersion(withdrawn, "withdrawn"), [lineOf(withdrawn, null, new Date())]);
    },
  }),
  command({
    name: "program list",
    summary: "list the versions of an application's programme, the newest first",
    options: { clientId: CLIENT_ID },
    examples: ["program list --client-id app_…"],
    run: async ({ database, now, options: { clientId }, print }) => {
      const { id } = await applicationOf(database, clientId);
      const versions = await store.listVersions(database, id, 0, LISTED_MAX);
      const current = await currentOf(database, id, now);
      const programs = versions.map((each) => presentVersion(each, stateOf(each, current, now)));
      const lines = versions.map((each) => lineOf(each, current, now));
      print({ programs }, lines.length > 0 ? lines : ["no programme: points/1 applies"]);
    },
  }),
  command({
    name: "program campaigns",
    summary: "show what campaigns have given: points, users, and what is left of budgets",
    options: { clientId: CLIENT_ID },
    examples: ["program campaigns --client-id app_…"],
    run: async ({ database, now, options: { clientId }, print }) => {
      const { id } = await applicationOf(database, clientId);
      const campaigns = await store.usageOfCampaigns(database, id, now);
      const lines = campaigns.map((each) => {
        const of = (used: number, all: number | null) => (all === null ? String(used) : `${used} of ${all}`);
        const { id: campaignId, state, pointsGiven, budget, users, firstUsers, name } = each;
        const given = `${of(pointsGiven, budget)} points, ${of(users, firstUsers)} users`;
        return `${campaignId}  ${state.replace("_", " ")}  ${given}  ${name}`.trimEnd();
      });
      print({ campaigns }, lines.length > 0 ? lines : ["no campaigns"]);
    },
  }),
  command({
    name: "program show",
    summary: "show the definition of a version; by default the one in force",
    options: { clientId: CLIENT_ID, version: optional("N", "another version") },
    examples: ["program show --client-id app_…", "program show --client-id app_… --version 3 --json"],
    run: async ({ database, now, options: { clientId, version }, print }) => {
      const { id } = await applicationOf(database, clientId);
      const current = await currentOf(database, id, now);
      const number = version === undefined ? current : numberOf(version);
      if (number === null) return print({ program: null }, ["no programme is in force: points/1 applies"]);
      const found = await store.findVersion(database, id, number);
      if (!found) throw new Refusal("there is no such version");
      const lines = JSON.stringify(found.definition, null, 2).split("\n");
      print({ program: presentVersion(found, stateOf(found, current, now)) }, [lineOf(found, current, now), ...lines]);
    },
  }),
];

function numberOf(version: string): number {
  if (!/^[1-9]\d{0,8}$/.test(version)) throw new Refusal("--version must be the number of a version");
  return Number(version);
}

function startOf(given: string | undefined, at: Date): Date {
  const least = new Date(at.getTime() + LEAD_MS);
  if (given === undefined) return least;
  const start = parseInstant(given);
  if (start === null) throw new Refusal("--starts-at must be a time with its zone, as 2026-12-01T00:00:00Z");
  if (new Date(start) < least) throw new Refusal("--starts-at must be at least 10 seconds ahead");
  return new Date(start);
}

async function currentOf(tx: Tx, applicationId: string, at: Date): Promise<number | null> {
  return inForceAt(await store.publishedVersions(tx, applicationId), at)?.version ?? null;
}

function lineOf(version: ProgramVersion, current: number | null, at: Date): string {
  const { version: number, definition, startsAt, author, note } = version;
  const state = stateOf(version, current, at).replace("_", " ");
  const start = startsAt === null ? "" : `, from ${startsAt.toISOString()}`;
  return `${number}  ${state}${start}  ${definition.name}  (${author}${note === "" ? "" : `: ${note}`})`;
}
