import type { ListedApplications } from "./applications.store.ts";
import { html } from "../html/html.ts";
import type { Html } from "../html/html.ts";

/**
 * A field for an application, or for any (empty). It is a list where there are few; of many, the name or the id is
 * typed, so that a page with it does not grow with them.
 */
export function applicationField(
  { shown, hasMore }: ListedApplications,
  { label, any, chosen = "" }: { readonly label: string; readonly any: string; readonly chosen?: string },
): Html {
  if (hasMore) {
    return html`<label>
      ${label}
      <input name="application" value="${chosen}" placeholder="${any}" maxlength="255" autocomplete="off" />
    </label>`;
  }
  return html`<label>
    ${label}
    <select name="application">
      <option value="">${any}</option>
      ${shown.map(({ id, name }) => html`<option value="${id}" ${id === chosen && html`selected`}>${name}</option>`)}
    </select>
  </label>`;
}
