import { sendPage } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import type { Database } from "../../postgres/postgres.ts";
import { listAuditEntries } from "../audit.store.ts";
import { auditPage } from "./page.ts";

const PAGE_SIZE = 50;

/** Adds the page of the audit log, of all applications. */
export function auditRoutes(scope: Server, database: Database): void {
  scope.get("/console/audit", { config: { console: "operate" } }, async (request, reply) => {
    const { before, application } = request.query as Record<string, unknown>;
    const applicationId = idOrNull(application);
    const found = await listAuditEntries(database, { before: idOrNull(before), applicationId, limit: PAGE_SIZE + 1 });
    const entries = found.slice(0, PAGE_SIZE);
    const older = found.length > PAGE_SIZE ? entries.at(-1)!.id : null;
    return sendPage(reply, 200, auditPage(request.console.view, { entries, applicationId, older }));
  });
}

function idOrNull(value: unknown): string | null {
  return typeof value === "string" && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? value : null;
}
