import { parseInstant } from "../http/formats.ts";
import { presentEntry } from "../audit/present.ts";
import { rangeOf } from "../audit/query.ts";
import { listAllEntries, listEntriesOf } from "../audit/store.ts";
import { KEPT_DAYS } from "../audit/retention.ts";
import { isUuid } from "../ids.ts";
import { applicationOf } from "./client-id.ts";
import { Refusal, command, optional } from "./command.ts";
import type { Command } from "./command.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 1_000;

/** The commands for the audit log. */
export const AUDIT_COMMANDS: readonly Command[] = [
  command({
    name: "audit list",
    summary: "list what people, commands and client secrets changed, the newest first",
    details: `Entries have ids only, no names and no addresses, and are kept for ${KEPT_DAYS} days or longer.`,
    options: {
      clientId: optional("ID", "only of this application, by its client id"),
      since: optional("TIME", "only from then on, e.g. 2026-01-31T12:00:00Z"),
      before: optional("ID", "only before this entry, for the next page"),
      limit: optional("N", `at most this many, ${LIMIT_DEFAULT} without it, up to ${LIMIT_MAX}`),
    },
    examples: ["audit list", "audit list --client-id app_… --since 2026-11-01T00:00:00Z --limit 200"],
    run: async ({ database, options: { clientId, since, before = null, limit: given }, print }) => {
      const limit = given === undefined ? LIMIT_DEFAULT : Number(/^[1-9]\d{0,3}$/.test(given) ? given : 0);
      if (limit < 1 || limit > LIMIT_MAX) throw new Refusal(`--limit must be a whole number from 1 to ${LIMIT_MAX}`);
      if (before !== null && !isUuid(before)) throw new Refusal("--before must be the id of an entry");
      const sinceMs = since === undefined ? null : parseInstant(since);
      if (since !== undefined && sinceMs === null) throw new Refusal("--since must be a time with its zone");
      const query = { ...rangeOf({ since: sinceMs === null ? null : new Date(sinceMs), until: null, before }), limit };
      const application = clientId === undefined ? null : await applicationOf(database, clientId);
      const found = application
        ? await listEntriesOf(database, application.id, query)
        : await listAllEntries(database, query);
      const entries = found.map((entry) => ({ applicationId: entry.applicationId, ...presentEntry(entry) }));
      print(
        { entries },
        entries.map(({ id, at, actor, action, status, ...ids }) =>
          [
            id,
            at,
            String(status ?? "interrupted"),
            action,
            `by ${actor} ${ids.credentialId ?? ids.consoleUserId ?? ""}`.trim(),
            ...(ids.applicationId ? [`of ${ids.applicationId}`] : []),
            ...(ids.targetId ? [`target ${ids.targetId}`] : []),
            ...(ids.madeId ? [`made ${ids.madeId}`] : []),
          ].join("  "),
        ),
      );
    },
  }),
];
