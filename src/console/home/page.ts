import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { instant, number } from "../format.ts";
import { SECTIONS, SERVICE_SECTIONS, consolePage } from "../page.ts";
import type { Section, ServiceSection, ShownApplication, View } from "../page.ts";
import { rightsIn } from "../roles.ts";
import type { ApplicationState, ServiceState } from "./state.ts";

export interface HomeContent {
  readonly service: ServiceState;
  /** By the id of the application; null: it could not be read. Those that are not in it were not read. */
  readonly states: ReadonlyMap<string, ApplicationState | null>;
}

/** The first page after signing in: what the service is, in what state it is, and where to go. */
export function homePage(view: View, { service, states }: HomeContent): PageDocument {
  const { home } = view.language.phrases;
  const { applications } = view;
  const cards = html`<ul class="cards">
      ${applications.map((application) => card(view, application, states))}
    </ul>
    ${applications.length > states.size && html`<p class="hint">${home.figures.many}</p>`}`;
  const main = html`<p class="lead">${home.about}</p>
    <h2>${home.title}</h2>
    ${applications.length > 0 ? cards : none(view)}
    <div class="beside">
      <section aria-labelledby="next">${next(view, states)}</section>
      <section aria-labelledby="state">${serviceState(view, service)}</section>
    </div>`;
  return consolePage(view, { title: home.welcome(view.user.name), section: null, main, styles: ["overview.css"] });
}

function none({ user, language }: View): Html {
  const { home } = language.phrases;
  if (!user.grants.some(({ role }) => role === "operator")) return html`<p class="lead">${home.none}</p>`;
  return html`<p class="lead">${home.noneAtAll}</p>
    <pre><code>npm run cli -- app create --name "My app" --sandbox</code></pre>`;
}

function card(view: View, application: ShownApplication, states: HomeContent["states"]): Html {
  const { home, shell } = view.language.phrases;
  const { id, name, isSandbox, isSuspended } = application;
  const first = (Object.keys(SECTIONS) as Section[]).find((section) => view.sections.has(section)) ?? "overview";
  const state = states.get(id);
  return html`<li class="card">
    <a class="name" href="${view.basePath}/console/${id}/${first}"><bdi>${name}</bdi></a>
    ${isSandbox && html`<span class="badge sandbox">${shell.sandbox}</span>`}
    ${isSuspended && html`<span class="badge warning">${shell.suspended}</span>`}
    ${state ? figures(view, state) : state === null ? html`<p class="hint">${home.figures.unknown}</p>` : null}
  </li>`;
}

function figures({ language }: View, state: ApplicationState): Html {
  const { figures: words } = language.phrases.home;
  const rows = [
    { label: words.held, count: state.held, isOpen: state.held > 0 },
    { label: words.disputed, count: state.disputed, isOpen: state.disputed > 0 },
    { label: words.receipts, count: state.receipts, isOpen: false },
    { label: words.failed, count: state.failed, isOpen: false },
    { label: words.endpoints, count: state.endpointsFailing, isOpen: state.endpointsFailing > 0 },
  ];
  return html`<dl class="facts">
    ${rows.map(({ label, count, isOpen }) => fact(label, number(language, count), isOpen))}
  </dl>`;
}

/** What needs somebody has a frame around it, beside its colour. */
function fact(label: string, value: Content, isOpen: boolean): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd>${isOpen ? html`<span class="badge warning">${value}</span>` : value}</dd>
  </div>`;
}

/** Links to what waits, and to what one looks for next; only to what the person may see. */
function next(view: View, states: HomeContent["states"]): Html {
  const { home } = view.language.phrases;
  const { basePath, sections, applications, user } = view;
  const held = applications.filter(
    ({ id }) => (states.get(id)?.held ?? 0) > 0 && sections.has("review") && rightsIn(user.grants, id).has("review"),
  );
  const forAll = rightsIn(user.grants, null);
  const service = (Object.keys(SERVICE_SECTIONS) as ServiceSection[]).filter(
    (section) => sections.has(section) && forAll.has(SERVICE_SECTIONS[section]),
  );
  const links = [
    ...held.map(({ id, name }) => ({ address: `/console/${id}/review`, text: home.next.review(name) })),
    ...service.map((section) => ({ address: `/console/${section}`, text: home.next[section] })),
    { address: "/docs", text: home.next.reference },
    { address: "/problems", text: home.next.problems },
  ];
  return html`<h2 id="next">${home.next.title}</h2>
    <ul>
      ${links.map(({ address, text }) => html`<li><a href="${basePath}${address}">${text}</a></li>`)}
    </ul>`;
}

function serviceState({ language }: View, { isReady, gauges }: ServiceState): Html {
  const { state: words } = language.phrases.home;
  const ready = isReady
    ? html`<span class="badge good">${words.ready.yes}</span>`
    : html`<span class="badge error">${words.ready.no}</span>`;
  const count = (value: number) => number(language, value);
  const minutes = (seconds: number) => count(Math.ceil(seconds / 60));
  const waiting = (value: number, seconds: number, words: (minutes: string) => string) =>
    value === 0 || seconds < 60 ? count(value) : `${count(value)}, ${words(minutes(seconds))}`;
  const rows = gauges && [
    fact(words.receipts, waiting(gauges.receiptsWaiting, gauges.receiptsOldestSeconds, words.oldest), false),
    fact(words.intakes, waiting(gauges.intakesWaiting, gauges.intakesOldestSeconds, words.oldest), false),
    fact(words.pending, waiting(gauges.deliveriesPending, gauges.deliveriesLateSeconds, words.late), false),
    fact(words.failed, count(gauges.deliveriesFailed), gauges.deliveriesFailed > 0),
    fact(words.endpoints, count(gauges.endpointsFailing), gauges.endpointsFailing > 0),
    fact(words.ledger, ledger(language, gauges), (gauges.ledgerDifferences ?? 0) > 0),
  ];
  return html`<h2 id="state">${words.title}</h2>
    <dl class="facts">${fact(words.ready.label, ready, false)} ${rows}</dl>`;
}

function ledger(language: View["language"], gauges: NonNullable<ServiceState["gauges"]>): string {
  const { state: words } = language.phrases.home;
  const { ledgerDifferences, ledgerVerifiedAt } = gauges;
  if (ledgerDifferences === null || ledgerVerifiedAt === null) return words.never;
  const at = instant(language, ledgerVerifiedAt);
  return ledgerDifferences === 0 ? words.verified(at) : words.differences(number(language, ledgerDifferences), at);
}
