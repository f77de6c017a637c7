import type { Static } from "typebox";
import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { EVENT_TYPES } from "../../webhooks/event.ts";
import type { EndpointResponse } from "../../webhooks/endpoints/schema.ts";
import { instant } from "../format.ts";
import { addressOf, consolePage, postForm } from "../page.ts";
import type { ConsolePage, View } from "../page.ts";

export type Endpoint = Static<typeof EndpointResponse>;

/** What was just done, and why a form was refused. */
export interface FormState {
  readonly done: string | null;
  readonly errors: readonly string[];
}

/** The parts of the section. */
const TABS = { keys: "", deliveries: "/deliveries", events: "/events", call: "/call" } as const;
export type Tab = keyof typeof TABS;

/** Creates a page of the section, with links to its parts above. */
export function developerPage(
  view: View,
  page: Pick<ConsolePage, "title" | "main" | "scripts" | "isWide"> & { tab: Tab; state?: FormState },
): PageDocument {
  const { developers } = view.language.phrases;
  const done = developers.done[page.state?.done as keyof typeof developers.done] as string | undefined;
  const errors = page.state?.errors ?? [];
  return consolePage(view, {
    ...page,
    section: "developers",
    main: html`<nav class="tabs" aria-label="${developers.title}">
        ${(Object.keys(TABS) as Tab[]).map(
          (tab) =>
            html`<a href="${addressOf(view, "developers", TABS[tab])}" ${tab === page.tab && html`aria-current="page"`}
              >${developers.tabs[tab]}</a
            >`,
        )}
        <a href="${view.basePath}/docs">${developers.tabs.docs}</a>
      </nav>
      ${done !== undefined && html`<p class="notice" role="status">${done}</p>`}
      ${errors.length > 0 && html`<div class="error" role="alert">${errors.map((error) => html`<p>${error}</p>`)}</div>`}
      ${page.main}`,
  });
}

/** The page with the credentials and the endpoints. */
export function keysPage(
  view: View,
  shown: {
    clientId: string;
    previousUntil: Date | null;
    endpoints: readonly Endpoint[];
    state: FormState;
    typed: { url: string; description: string };
  },
): PageDocument {
  const { developers } = view.language.phrases;
  const { keys } = developers;
  const { previousUntil } = shown;
  const rotate = html`<p class="hint">${keys.rotateHint}</p>
    <label>
      ${keys.keep}
      <select name="hours">
        ${Object.entries(keys.hours).map(
          ([hours, label]) => html`<option value="${hours}" ${hours === "24" && html`selected`}>${label}</option>`,
        )}
      </select>
    </label>
    <button class="quiet">${keys.rotate}</button>`;
  return developerPage(view, {
    title: developers.title,
    tab: "keys",
    state: shown.state,
    main: html`<section>
        <h2>${keys.title}</h2>
        <dl class="facts card">
          <div>
            <dt>${keys.clientId}</dt>
            <dd><code>${shown.clientId}</code></dd>
          </div>
          <div>
            <dt>${keys.secret}</dt>
            <dd>${keys.hidden}</dd>
          </div>
        </dl>
        ${previousUntil && html`<p class="notice">${keys.previousUntil(instant(view.language, previousUntil))}</p>`}
        ${
          mayDevelop(view) &&
          html`<details>
            <summary class="button quiet">${keys.rotate}</summary>
            <div class="narrow">${postForm(view, addressOf(view, "developers", "/secret"), rotate)}</div>
          </details>`
        }
      </section>
      <section>
        <h2>${developers.endpoints.title}</h2>
        ${endpointTable(view, shown.endpoints)} ${mayDevelop(view) && newEndpointForm(view, shown.typed)}
      </section>`,
  });
}

/** A page that shows a secret, once. */
export function secretPage(view: View, shown: { title: string; secret: string; back: string }): PageDocument {
  const { developers, shell } = view.language.phrases;
  return developerPage(view, {
    title: shown.title,
    tab: "keys",
    main: html`<p class="lead">${developers.keys.madeHint}</p>
      <pre><code>${shown.secret}</code></pre>
      <p><a href="${shown.back}">${shell.actions.back}</a></p>`,
  });
}

/** The page of one endpoint. */
export function endpointPage(view: View, endpoint: Endpoint, state: FormState): PageDocument {
  const { endpoint: words, endpoints } = view.language.phrases.developers;
  const base = `/endpoints/${endpoint.id}`;
  const action = (name: string, label: string, kind = "quiet", more: Content = null) =>
    postForm(
      view,
      addressOf(view, "developers", `${base}/${name}`),
      html`${more}<button class="${kind}">${label}</button>`,
    );
  const replay = html`<label>${words.replaySince} <input name="since" type="datetime-local" /></label>
    <label><input name="only" type="checkbox" value="failed" /> ${words.replayOnly}</label>`;
  return developerPage(view, {
    title: words.title,
    tab: "keys",
    state,
    main: html`<p>
        <code><bdi>${endpoint.url}</bdi></code> ${healthBadge(view, endpoint)}
      </p>
      ${endpoint.description !== "" && html`<p><bdi>${endpoint.description}</bdi></p>`}
      <p>
        <a href="${addressOf(view, "developers", "/deliveries", { endpointId: endpoint.id })}">${words.deliveries}</a>
      </p>
      ${
        mayDevelop(view) &&
        html`<div class="actions">
            ${action("test", words.test)} ${action("secret", words.rotate)}
            ${endpoint.disabled ? action("enable", words.enable) : action("disable", words.disable)}
          </div>
          <h2>${words.change}</h2>
          <div class="narrow">${endpointForm(view, `${base}/change`, endpoint)}</div>
          <h2>${words.replay}</h2>
          <div class="narrow">${action("replay", words.replaySubmit, "quiet", replay)}</div>
          <h2>${words.remove}</h2>
          <p class="hint">${words.removeHint}</p>
          ${action("remove", words.remove, "danger")}`
      }
      <p class="soft">${endpoints.columns.since} ${instant(view.language, endpoint.createdAt)}</p>`,
  });
}

/** Returns whether the person may change keys and webhooks here. */
export function mayDevelop(view: View): boolean {
  return view.rights.has("develop");
}

function endpointTable(view: View, list: readonly Endpoint[]): Html {
  const { endpoints } = view.language.phrases.developers;
  if (list.length === 0) return html`<p class="soft">${endpoints.none}</p>`;
  return html`<div class="scroll" role="region" aria-label="${endpoints.title}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${Object.values(endpoints.columns).map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${list.map(
          (endpoint) =>
            html`<tr>
              <th scope="row">
                <a href="${addressOf(view, "developers", `/endpoints/${endpoint.id}`)}"><bdi>${endpoint.url}</bdi></a>
                ${endpoint.description !== "" && html`<br /><bdi>${endpoint.description}</bdi>`}
              </th>
              <td>${endpoint.events ? endpoints.someEvents(endpoint.events.length) : endpoints.allEvents}</td>
              <td>${healthBadge(view, endpoint)}</td>
              <td>${instant(view.language, endpoint.createdAt)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function healthBadge(view: View, { disabled, disabledReason, failingSince }: Endpoint): Html {
  const { endpoints } = view.language.phrases.developers;
  if (disabled) return html`<span class="badge error">${endpoints.disabled[disabledReason ?? "requested"]}</span>`;
  if (failingSince === null) return html`<span class="badge good">${endpoints.healthy}</span>`;
  return html`<span class="badge warning">${endpoints.failing(instant(view.language, failingSince))}</span>`;
}

function newEndpointForm(view: View, typed: { url: string; description: string }): Html {
  const { endpoints } = view.language.phrases.developers;
  return html`<h3>${endpoints.add}</h3>
    <div class="narrow">${endpointForm(view, "/endpoints", { ...typed, events: null })}</div>`;
}

function endpointForm(
  view: View,
  below: string,
  { url, description, events }: Pick<Endpoint, "url" | "description" | "events">,
): Html {
  const { endpoints } = view.language.phrases.developers;
  const { shell } = view.language.phrases;
  return postForm(
    view,
    addressOf(view, "developers", below),
    html`<label>
        ${endpoints.url}
        <input name="url" type="url" required maxlength="2048" value="${url}" aria-describedby="url-hint" />
      </label>
      <p class="hint" id="url-hint">${endpoints.urlHint}</p>
      <label>${endpoints.note} <input name="description" maxlength="255" value="${description}" /></label>
      <details>
        <summary class="button quiet">${endpoints.choose}</summary>
        <p class="hint">${endpoints.chooseHint}</p>
        ${EVENT_TYPES.map(
          (type) =>
            html`<label>
              <input
                name="events"
                type="checkbox"
                value="${type}"
                ${(events?.includes(type) ?? false) && html`checked`}
              />
              <code>${type}</code>
            </label>`,
        )}
      </details>
      <button>${below === "/endpoints" ? endpoints.submit : shell.actions.save}</button>`,
  );
}
