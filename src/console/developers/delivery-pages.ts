import type { Static } from "typebox";
import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { EVENT_TYPES, TEST_EVENT } from "../../webhooks/event.ts";
import { DELIVERY_STATES } from "../../webhooks/log/entry.ts";
import type { DeliveryDetails, DeliveryList } from "../../webhooks/log/schema.ts";
import { badge, dataTable, fact, timeOf } from "../elements.ts";
import { instant, number } from "../format.ts";
import { addressOf, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { developerPage, mayDevelop } from "./page.ts";
import type { Endpoint, FormState } from "./page.ts";

export type Deliveries = Static<typeof DeliveryList>;
export type Delivery = Static<typeof DeliveryDetails> & { readonly payload: object };

/** The filters of the list, as typed; empty: any. */
export type DeliveryFilters = Readonly<Record<"state" | "event" | "endpointId", string>>;

const BADGES = { pending: "warning", delivered: "good", failed: "error" } as const;

/** The list of deliveries, a page of it. */
export function deliveriesPage(
  view: View,
  { deliveries, next }: Deliveries,
  filters: DeliveryFilters,
  endpoints: readonly Endpoint[],
): PageDocument {
  const { deliveries: words } = view.language.phrases.developers;
  const { shell } = view.language.phrases;
  const rows = deliveries.map((delivery) => deliveryRow(view, delivery));
  const table = dataTable({ label: words.title, columns: Object.values(words.columns), rows });
  const older = next !== null && addressOf(view, "developers", "/deliveries", { ...given(filters), before: next });
  return developerPage(view, {
    title: words.title,
    tab: "deliveries",
    isWide: true,
    main: html`${filterForm(view, filters, endpoints)}
      ${deliveries.length > 0 ? table : html`<p class="soft">${words.none}</p>`}
      <p class="pages">${older && html`<a href="${older}">${shell.actions.older}</a>`}</p>`,
  });
}

/** The page of one delivery: payload and every attempt. */
export function deliveryPage(view: View, delivery: Delivery, state: FormState): PageDocument {
  const { delivery: words, deliveries } = view.language.phrases.developers;
  const retry = postForm(
    view,
    addressOf(view, "developers", `/deliveries/${delivery.id}/retry`),
    html`<button class="quiet">${words.retry}</button>`,
  );
  const { nextAttemptAt } = delivery;
  return developerPage(view, {
    title: words.title,
    tab: "deliveries",
    state,
    main: html`<p>
        <code>${delivery.event}</code>
        ${badge(deliveries.states[delivery.state], BADGES[delivery.state])}
        ${instant(view.language, delivery.createdAt)}
      </p>
      ${nextAttemptAt !== null && html`<p>${words.next(instant(view.language, nextAttemptAt))}</p>`}
      ${mayDevelop(view) && retry}
      <h2>${words.attempts}</h2>
      ${delivery.attempts.length > 0 ? attemptTable(view, delivery) : html`<p class="soft">${words.noAttempts}</p>`}
      <h2>${words.payload}</h2>
      <pre><code>${JSON.stringify(delivery.payload, null, 2)}</code></pre>
      <dl class="facts card">
        ${fact(words.eventId, html`<code>${delivery.eventId}</code>`)}
        ${fact(deliveries.columns.subject, html`<code>${delivery.subjectId}</code>`)}
        ${fact(words.sequence, delivery.sequence)}
      </dl>`,
  });
}

function deliveryRow(view: View, delivery: Deliveries["deliveries"][number]): Html {
  const { deliveries: words } = view.language.phrases.developers;
  const last = delivery.attempts.at(-1);
  return html`<tr>
    <td>
      <a href="${addressOf(view, "developers", `/deliveries/${delivery.id}`)}">${timeOf(view, delivery.createdAt)}</a>
    </td>
    <td><code>${delivery.event}</code></td>
    <td><code>${delivery.subjectId}</code></td>
    <td>${badge(words.states[delivery.state], BADGES[delivery.state])}</td>
    <td class="num">${delivery.attempts.length}</td>
    <td><bdi>${last ? (last.status ?? last.error) : words.noResponse}</bdi></td>
  </tr>`;
}

function attemptTable(view: View, { attempts }: Delivery): Html {
  const { delivery: words } = view.language.phrases.developers;
  const rows = attempts.map(
    ({ at, durationMs, status, answer, error }) =>
      html`<tr>
        <td>${timeOf(view, at)}</td>
        <td class="num"><bdi>${number(view.language, durationMs)} ms</bdi></td>
        <td>${status ?? ""}</td>
        <td><code>${error ?? answer}</code></td>
      </tr>`,
  );
  return dataTable({ label: words.attempts, columns: Object.values(words.columns), rows });
}

function filterForm(view: View, filters: DeliveryFilters, endpoints: readonly Endpoint[]): Html {
  const { deliveries: words } = view.language.phrases.developers;
  const { shell } = view.language.phrases;
  const select = (name: keyof DeliveryFilters, label: string, options: readonly (readonly [string, string])[]) =>
    html`<label>
      ${label}
      <select name="${name}">
        <option value="">${words.filters.any}</option>
        ${options.map(
          ([value, text]) =>
            html`<option value="${value}" ${value === filters[name] && html`selected`}>${text}</option>`,
        )}
      </select>
    </label>`;
  return html`<form class="filters" action="${addressOf(view, "developers", "/deliveries")}">
    ${select(
      "state",
      words.filters.state,
      DELIVERY_STATES.map((state) => [state, words.states[state]]),
    )}
    ${select(
      "event",
      words.filters.event,
      [...EVENT_TYPES, TEST_EVENT].map((type) => [type, type]),
    )}
    ${select(
      "endpointId",
      words.filters.endpoint,
      endpoints.map(({ id, url }) => [id, url]),
    )}
    <button>${shell.actions.apply}</button>
  </form>`;
}

/** The filters that are set. */
export function given(filters: DeliveryFilters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
}
