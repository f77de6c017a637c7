import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { ListedApplications, ShownApplication } from "../applications.store.ts";
import { badge, fact } from "../elements.ts";
import { instant, number } from "../format.ts";
import { SERVICE_SECTIONS, consolePage, stateBadges } from "../page.ts";
import type { ServiceSection, View } from "../page.ts";
import { rightsIn } from "../roles.ts";
import type { ApplicationState, ServiceState } from "./state.ts";

export interface HomeContent {
  /** The applications of this page, of all that the person may see or of those searched for. */
  readonly listed: ListedApplications;
  readonly place: { readonly searched: string; readonly page: number };
  readonly service: ServiceState;
  /** By the id of the application; null: it could not be read. Those that are not in it were not read. */
  readonly states: ReadonlyMap<string, ApplicationState | null>;
}

/** The first page after signing in: what the service is, in what state it is, and where to go. */
export function homePage(view: View, content: HomeContent): PageDocument {
  const { service, states } = content;
  const { home, shell } = view.language.phrases;
  const { shown } = content.listed;
  const isSearched = content.place.searched !== "";
  const cards = html`<ul class="cards">
      ${shown.map((application) => card(view, application, states))}
    </ul>
    ${shown.length > states.size && html`<p class="hint">${home.figures.many}</p>`}`;
  const empty = isSearched ? html`<p class="soft">${shell.problems.notFound.title}</p>` : none(view);
  const main = html`<p class="lead">${home.about}</p>
    <h2>${home.title}</h2>
    ${searchForm(view, content)} ${shown.length > 0 ? cards : empty} ${pages(view, content)}
    <div class="beside">
      <section aria-labelledby="next">${next(view, content)}</section>
      <section aria-labelledby="state">${serviceState(view, service)}</section>
    </div>`;
  return consolePage(view, { title: home.welcome(view.user.name), section: null, main, styles: ["overview.css"] });
}

/** Nothing where all applications are on one page. */
function searchForm(view: View, { listed, place }: HomeContent): Html | null {
  const { shell } = view.language.phrases;
  if (!listed.hasMore && place.page === 1 && place.searched === "") return null;
  return html`<form class="filters" method="get" action="${view.basePath}/console" role="search">
    <label>
      ${shell.applications}
      <input name="q" type="search" value="${place.searched}" maxlength="255" autocomplete="off" />
    </label>
    <button>${shell.actions.search}</button>
  </form>`;
}

function pages(view: View, { listed, place }: HomeContent): Html | null {
  const { actions } = view.language.phrases.shell;
  const { searched, page } = place;
  if (!listed.hasMore && page === 1) return null;
  const link = (to: number, rel: string, text: string) => {
    const query = new URLSearchParams({ ...(searched !== "" && { q: searched }), page: String(to) });
    return html`<a class="button quiet" rel="${rel}" href="${view.basePath}/console?${query.toString()}">${text}</a>`;
  };
  return html`<nav class="pages" aria-label="${view.language.phrases.home.title}">
    ${page > 1 && link(page - 1, "prev", actions.previous)} ${listed.hasMore && link(page + 1, "next", actions.next)}
  </nav>`;
}

function none({ user, language }: View): Html {
  const { home } = language.phrases;
  if (!user.grants.some(({ role }) => role === "operator")) return html`<p class="lead">${home.none}</p>`;
  return html`<p class="lead">${home.noneAtAll}</p>
    <pre><code>npm run cli -- app create --name "My app" --sandbox</code></pre>`;
}

function card(view: View, application: ShownApplication, states: HomeContent["states"]): Html {
  const { home } = view.language.phrases;
  const { id, name } = application;
  const state = states.get(id);
  return html`<li class="card">
    <a class="name" href="${view.basePath}/console/${id}/overview"><bdi>${name}</bdi></a>
    ${stateBadges(view, application)}
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
    ${rows.map(({ label, count, isOpen }) => figure(label, number(language, count), isOpen))}
  </dl>`;
}

/** What needs somebody has a frame around it, beside its colour. */
function figure(label: string, value: string, isOpen: boolean): Html | null {
  return fact(label, isOpen ? badge(value, "warning") : value);
}

/** Links to what waits, and to what one looks for next; only to what the person may see. */
function next(view: View, { listed, states }: HomeContent): Html {
  const { home } = view.language.phrases;
  const { basePath, user } = view;
  const held = listed.shown.filter(
    ({ id }) => (states.get(id)?.held ?? 0) > 0 && rightsIn(user.grants, id).has("review"),
  );
  const forAll = rightsIn(user.grants, null);
  const service = (Object.keys(SERVICE_SECTIONS) as ServiceSection[]).filter((section) =>
    forAll.has(SERVICE_SECTIONS[section]),
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
  const ready = isReady ? badge(words.ready.yes, "good") : badge(words.ready.no, "error");
  const count = (value: number) => number(language, value);
  const minutes = (seconds: number) => count(Math.ceil(seconds / 60));
  const waiting = (value: number, seconds: number, words: (minutes: string) => string) =>
    value === 0 || seconds < 60 ? count(value) : `${count(value)}, ${words(minutes(seconds))}`;
  const rows = gauges && [
    figure(words.receipts, waiting(gauges.receiptsWaiting, gauges.receiptsOldestSeconds, words.oldest), false),
    figure(words.intakes, waiting(gauges.intakesWaiting, gauges.intakesOldestSeconds, words.oldest), false),
    figure(words.pending, waiting(gauges.deliveriesPending, gauges.deliveriesLateSeconds, words.late), false),
    figure(words.failed, count(gauges.deliveriesFailed), gauges.deliveriesFailed > 0),
    figure(words.endpoints, count(gauges.endpointsFailing), gauges.endpointsFailing > 0),
    figure(words.ledger, ledger(language, gauges), (gauges.ledgerDifferences ?? 0) > 0),
  ];
  return html`<h2 id="state">${words.title}</h2>
    <dl class="facts">${fact(words.ready.label, ready)} ${rows}</dl>`;
}

function ledger(language: View["language"], gauges: NonNullable<ServiceState["gauges"]>): string {
  const { state: words } = language.phrases.home;
  const { ledgerDifferences, ledgerVerifiedAt } = gauges;
  if (ledgerDifferences === null || ledgerVerifiedAt === null) return words.never;
  const at = instant(language, ledgerVerifiedAt);
  return ledgerDifferences === 0 ? words.verified(at) : words.differences(number(language, ledgerDifferences), at);
}
