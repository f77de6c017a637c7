import type { Static } from "typebox";
import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { EVENT_TYPES } from "../../webhooks/event.ts";
import type { EndpointResponse } from "../../webhooks/endpoints/schema.ts";
import { badge, dataTable, fact, timeOf } from "../elements.ts";
import { instant } from "../format.ts";
import { addressOf, consolePage, postForm } from "../page.ts";
import type { ConsolePage, View } from "../page.ts";
import { doneNotice, fieldState, problemBox } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { credentialsPart } from "./credentials-page.ts";
import type { CredentialsContent } from "./credentials-page.ts";

export type Endpoint = Static<typeof EndpointResponse>;

/** What was just done, and why a form was refused. */
export interface FormState {
  readonly done: string | null;
  readonly problem: ShownProblem | null;
}

/** The parts of the section. */
const TABS = { keys: "", deliveries: "/deliveries", events: "/events", call: "/call" } as const;
export type Tab = keyof typeof TABS;

/** Creates a page of the section, with links to its parts above. */
export function developerPage(
  view: View,
  page: Pick<ConsolePage, "title" | "main" | "scripts" | "styles" | "isWide"> & { tab: Tab; state?: FormState },
): PageDocument {
  const { developers } = view.language.phrases;
  const { done = null, problem = null } = page.state ?? {};
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
      ${doneNotice(developers.done, done)} ${problemBox(problem)} ${page.main}`,
  });
}

export interface KeysContent {
  readonly clientId: string;
  /** Until when the previous secret is valid too; null: it is not. */
  readonly previousUntil: Date | null;
  readonly credentials: CredentialsContent;
  readonly endpoints: readonly Endpoint[];
  readonly state: FormState;
  readonly typed: { readonly url: string; readonly description: string };
}

/** The page with the credentials and the endpoints. */
export function keysPage(view: View, shown: KeysContent): PageDocument {
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
          ${fact(keys.clientId, html`<code>${shown.clientId}</code>`)} ${fact(keys.secret, keys.hidden)}
        </dl>
        ${previousUntil && html`<p class="notice">${keys.previousUntil(instant(view.language, previousUntil))}</p>`}
        ${
          mayDevelop(view) &&
          html`<details>
            <summary class="button quiet">${keys.rotate}</summary>
            <div class="narrow">${postForm(view, addressOf(view, "developers", "/secret"), rotate)}</div>
          </details>`
        }
        ${credentialsPart(view, shown.credentials)}
      </section>
      <section>
        <h2>${developers.endpoints.title}</h2>
        ${endpointTable(view, shown.endpoints)} ${mayDevelop(view) && newEndpointForm(view, shown)}
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

/** Returns whether the person may change keys and webhooks here. */
export function mayDevelop(view: View): boolean {
  return view.rights.has("develop");
}

function endpointTable(view: View, list: readonly Endpoint[]): Html {
  const { endpoints } = view.language.phrases.developers;
  if (list.length === 0) return html`<p class="soft">${endpoints.none}</p>`;
  const rows = list.map(
    (endpoint) =>
      html`<tr>
        <th scope="row">
          <a href="${addressOf(view, "developers", `/endpoints/${endpoint.id}`)}"><bdi>${endpoint.url}</bdi></a>
          ${endpoint.description !== "" && html`<br /><bdi>${endpoint.description}</bdi>`}
        </th>
        <td>${endpoint.events ? endpoints.someEvents(endpoint.events.length) : endpoints.allEvents}</td>
        <td>${healthBadge(view, endpoint)}</td>
        <td>${timeOf(view, endpoint.createdAt)}</td>
      </tr>`,
  );
  return dataTable({ label: endpoints.title, columns: Object.values(endpoints.columns), rows });
}

/** Says in a word whether an endpoint works. */
export function healthBadge(view: View, { disabled, disabledReason, failingSince }: Endpoint): Html {
  const { endpoints } = view.language.phrases.developers;
  if (disabled) return badge(endpoints.disabled[disabledReason ?? "requested"], "error");
  if (failingSince === null) return badge(endpoints.healthy, "good");
  return badge(endpoints.failing(instant(view.language, failingSince)), "warning");
}

function newEndpointForm(view: View, { typed, state }: KeysContent): Html {
  const { endpoints } = view.language.phrases.developers;
  const form = endpointForm(view, "/endpoints", { ...typed, events: null }, state.problem);
  return html`<h3>${endpoints.add}</h3>
    <div class="narrow">${form}</div>`;
}

/** The fields of an endpoint; `below`: where the form is sent. */
export function endpointForm(
  view: View,
  below: string,
  { url, description, events }: Pick<Endpoint, "url" | "description" | "events">,
  problem: ShownProblem | null,
): Html {
  const { endpoints } = view.language.phrases.developers;
  const { shell } = view.language.phrases;
  return postForm(
    view,
    addressOf(view, "developers", below),
    html`<label>
        ${endpoints.url}
        <input
          name="url"
          type="url"
          required
          maxlength="2048"
          value="${url}"
          ${fieldState(problem, "url") ?? html`aria-describedby="url-hint"`}
        />
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
