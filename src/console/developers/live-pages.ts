import type { Static } from "typebox";
import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { FeedEvent } from "../../webhooks/feed/schema.ts";
import { badge, headings, scrolling, timeOf } from "../elements.ts";
import { addressOf, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { developerPage } from "./page.ts";

export type ShownEvent = Static<typeof FeedEvent> & { readonly payload: object };

/** A call typed on the page, and its response. */
export interface TypedCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly error: "badJson" | "unknown" | null;
  readonly response: { readonly status: number; readonly body: unknown } | null;
}

/** The methods of the API. */
export const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;

/** The page of events as they happen: those of the last hour, and a script that adds new ones. */
export function eventsPage(view: View, events: readonly ShownEvent[]): PageDocument {
  const { events: words } = view.language.phrases.developers;
  return developerPage(view, {
    title: words.title,
    tab: "events",
    isWide: true,
    scripts: ["live-events.js"],
    main: html`<p class="lead">${words.lead}</p>
      <div
        class="actions"
        id="live"
        hidden
        data-stream="${addressOf(view, "developers", "/events/stream")}"
        data-live="${words.live}"
        data-paused="${words.paused}"
        data-lost="${words.lost}"
        data-pause="${words.pause}"
        data-resume="${words.resume}"
      >
        <span class="badge" role="status"></span> <button type="button" class="quiet">${words.pause}</button>
      </div>
      <h2>${words.recent}</h2>
      <p class="soft" id="no-events" ${events.length > 0 && html`hidden`}>${words.none}</p>
      ${scrolling(
        words.title,
        html`<table ${events.length === 0 && html`hidden`}>
          ${headings(Object.values(words.columns))}
          <tbody id="events">
            ${events.map((event) => eventRow(view, event))}
          </tbody>
        </table>`,
      )}`,
  });
}

function eventRow(view: View, { event, subjectId, createdAt, payload }: ShownEvent): Html {
  const { events: words } = view.language.phrases.developers;
  return html`<tr>
    <td>${timeOf(view, createdAt)}</td>
    <td><code>${event}</code></td>
    <td><code>${subjectId}</code></td>
    <td>
      <details>
        <summary>${words.columns.payload}</summary>
        <pre><code>${JSON.stringify(payload, null, 2)}</code></pre>
      </details>
    </td>
  </tr>`;
}

/** The page to call the API as a sandbox application. */
export function callPage(view: View, typed: TypedCall): PageDocument {
  const { call: words } = view.language.phrases.developers;
  const { error, response } = typed;
  const form = html`<div class="call">
      <label>
        ${words.method}
        <select name="method">
          ${METHODS.map((method) => html`<option ${method === typed.method && html`selected`}>${method}</option>`)}
        </select>
      </label>
      <label>
        ${words.path}
        <input name="path" class="code" required maxlength="2048" value="${typed.path}" spellcheck="false" />
      </label>
    </div>
    <label>
      ${words.body} <textarea name="body" class="code" rows="10" spellcheck="false">${typed.body}</textarea>
    </label>
    <button>${words.submit}</button>`;
  const main = html`${error && html`<p class="error" role="alert">${words[error]}</p>`}
    <p class="lead">${words.lead}</p>
    ${postForm(view, addressOf(view, "developers", "/call"), form)}
    ${
      response &&
      html`<h2>${words.response} ${badge(response.status, response.status < 400 ? "good" : "error")}</h2>
        <pre><code>${JSON.stringify(response.body, null, 2)}</code></pre>`
    }`;
  return developerPage(view, {
    title: words.title,
    tab: "call",
    main: view.application?.isSandbox ? main : html`<p class="lead">${words.onlySandbox}</p>`,
  });
}
