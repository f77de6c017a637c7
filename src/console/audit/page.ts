import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { ShownEntry } from "../audit.store.ts";
import { instant } from "../format.ts";
import { consolePage } from "../page.ts";
import type { View } from "../page.ts";

/** A page of the audit log; `older` is the id that the next page starts below. */
export interface AuditList {
  readonly entries: readonly ShownEntry[];
  readonly applicationId: string | null;
  readonly older: string | null;
}

/** The page of the audit log. */
export function auditPage(view: View, { entries, applicationId, older }: AuditList): PageDocument {
  const { audit, shell } = view.language.phrases;
  const query = (more: Record<string, string>) =>
    new URLSearchParams({ ...(applicationId !== null && { application: applicationId }), ...more }).toString();
  const table = html`<div class="scroll" role="region" aria-label="${audit.title}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${Object.values(audit.columns).map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${entries.map((entry) => entryRow(view, entry))}
      </tbody>
    </table>
  </div>`;
  return consolePage(view, {
    title: audit.title,
    section: "audit",
    isWide: true,
    main: html`<p class="lead">${audit.lead}</p>
      ${filterForm(view, applicationId)} ${entries.length > 0 ? table : html`<p class="soft">${audit.none}</p>`}
      <p class="pages">
        ${older !== null && html`<a href="${view.basePath}/console/audit?${query({ before: older })}">${shell.actions.older}</a>`}
      </p>`,
  });
}

function entryRow(view: View, entry: ShownEntry): Html {
  const { audit } = view.language.phrases;
  const { consoleUserId, applicationId, status } = entry;
  const who = entry.personName ?? (consoleUserId === null ? audit.commandLine : audit.removed);
  const application = entry.applicationName ?? (applicationId === null ? audit.noApplication : audit.removed);
  const outcome =
    status === null ? "interrupted" : status < 400 ? "done" : status < 500 ? "refused" : ("failed" as const);
  const kind = { done: "good", refused: "warning", failed: "error", interrupted: "error" }[outcome];
  return html`<tr>
    <td>${instant(view.language, entry.at)}</td>
    <td><bdi>${who}</bdi></td>
    <td><bdi>${application}</bdi></td>
    <td><code>${entry.action}</code></td>
    <td><code>${entry.subject ?? ""}</code></td>
    <td>
      <span class="badge ${kind}">${audit.outcomes[outcome]}</span>
    </td>
  </tr>`;
}

function filterForm(view: View, applicationId: string | null): Html {
  const { audit, shell } = view.language.phrases;
  return html`<form class="filters" action="${view.basePath}/console/audit">
    <label>
      ${audit.filter.application}
      <select name="application">
        <option value="">${audit.filter.any}</option>
        ${view.applications.map(
          ({ id, name }) => html`<option value="${id}" ${id === applicationId && html`selected`}>${name}</option>`,
        )}
      </select>
    </label>
    <button>${shell.actions.apply}</button>
  </form>`;
}
