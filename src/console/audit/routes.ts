import { sendPage } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import type { Database } from "../../postgres/postgres.ts";
import { findApplicationNamed, listApplicationsFor } from "../applications.store.ts";
import { listAuditEntries } from "../audit.store.ts";
import { queryOf, textIn } from "../form.ts";
import { auditPage } from "./page.ts";

const PAGE_SIZE = 50;

/** Adds the page of the audit log, of all applications. */
export function auditRoutes(scope: Server, database: Database): void {
  scope.get("/console/audit", { config: { console: "operate" } }, async (request, reply) => {
    const { view } = request.console;
    const query = queryOf(request);
    const before = idOrNull(query.get("before"));
    const typed = textIn(query, "application", 255);
    // By its id also one that is gone: its entries stay.
    const applicationId = idOrNull(typed) ?? (await findApplicationNamed(database, typed))?.id ?? null;
    const isUnknown = typed !== "" && applicationId === null;
    const limit = PAGE_SIZE + 1;
    const found = isUnknown ? [] : await listAuditEntries(database, { before, applicationId, limit });
    const entries = found.slice(0, PAGE_SIZE);
    const older = found.length > PAGE_SIZE ? entries.at(-1)!.id : null;
    const applications = await listApplicationsFor(database, view.user.grants);
    return sendPage(reply, 200, auditPage(view, { entries, applications, typed, older }));
  });
}

function idOrNull(value: string | null): string | null {
  return value !== null && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? value : null;
}
