import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { applicationField } from "../application-field.ts";
import type { ListedApplications } from "../applications.store.ts";
import type { ShownEntry } from "../audit.store.ts";
import { badge, dataTable, timeOf } from "../elements.ts";
import { consolePage } from "../page.ts";
import type { View } from "../page.ts";

/** A page of the audit log; `older` is the id that the next page starts below. */
export interface AuditList {
  readonly entries: readonly ShownEntry[];
  /** Those to choose from, and what was chosen or typed; empty: any. */
  readonly applications: ListedApplications;
  readonly typed: string;
  readonly older: string | null;
}

/** The page of the audit log. */
export function auditPage(view: View, content: AuditList): PageDocument {
  const { entries, typed, older } = content;
  const { audit, shell } = view.language.phrases;
  const query = (more: Record<string, string>) =>
    new URLSearchParams({ ...(typed !== "" && { application: typed }), ...more }).toString();
  const rows = entries.map((entry) => entryRow(view, entry));
  const table = dataTable({ label: audit.title, columns: Object.values(audit.columns), rows });
  return consolePage(view, {
    title: audit.title,
    section: "audit",
    isWide: true,
    main: html`<p class="lead">${audit.lead}</p>
      ${filterForm(view, content)} ${entries.length > 0 ? table : html`<p class="soft">${audit.none}</p>`}
      <p class="pages">
        ${older !== null && html`<a href="${view.basePath}/console/audit?${query({ before: older })}">${shell.actions.older}</a>`}
      </p>`,
  });
}

const OUTCOME_KINDS = { done: "good", refused: "warning", failed: "error", interrupted: "error" } as const;

function entryRow(view: View, entry: ShownEntry): Html {
  const { audit } = view.language.phrases;
  const { applicationId, status } = entry;
  const application = entry.applicationName ?? (applicationId === null ? audit.noApplication : audit.removed);
  const outcome =
    status === null ? "interrupted" : status < 400 ? "done" : status < 500 ? "refused" : ("failed" as const);
  return html`<tr>
    <td>${timeOf(view, entry.at)}</td>
    <td>${actorOf(view, entry)}</td>
    <td><bdi>${application}</bdi></td>
    <td><code>${entry.action}</code></td>
    <td><code>${entry.subject ?? ""}</code></td>
    <td>${badge(audit.outcomes[outcome], OUTCOME_KINDS[outcome])}</td>
  </tr>`;
}

/** A person, a key of the application, or the command line. */
function actorOf(view: View, entry: ShownEntry): Html {
  const { audit, developers } = view.language.phrases;
  const { consoleUserId, credentialId, applicationId } = entry;
  if (credentialId !== null) {
    const name = entry.credentialName ?? (credentialId === applicationId ? developers.keys.first : audit.removed);
    return html`${badge("API")} <bdi>${name}</bdi>`;
  }
  return html`<bdi>${entry.personName ?? (consoleUserId === null ? audit.commandLine : audit.removed)}</bdi>`;
}

function filterForm(view: View, { applications, typed }: AuditList): Html {
  const { audit, shell } = view.language.phrases;
  return html`<form class="filters" action="${view.basePath}/console/audit">
    ${applicationField(applications, { label: audit.filter.application, any: audit.filter.any, chosen: typed })}
    <button>${shell.actions.apply}</button>
  </form>`;
}
