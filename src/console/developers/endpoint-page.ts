import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { chartFigure } from "../charts/figure.ts";
import type { Figure } from "../charts/figure.ts";
import { instant, number } from "../format.ts";
import { addressOf, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { developerPage, endpointForm, healthBadge, mayDevelop } from "./page.ts";
import type { Endpoint, FormState } from "./page.ts";

/** What waits at an endpoint, since when it is due or when it will be, and what failed for good. */
export interface EndpointNow {
  readonly pending: number;
  readonly oldestDue: string | null;
  readonly failed: number;
}

export interface EndpointContent {
  readonly endpoint: Endpoint;
  readonly now: EndpointNow;
  /** Its last 30 days. */
  readonly figure: Figure;
  readonly state: FormState;
}

/** The page of one endpoint. */
export function endpointPage(view: View, { endpoint, now, figure, state }: EndpointContent): PageDocument {
  const { overview, developers } = view.language.phrases;
  const { endpoint: words, endpoints } = developers;
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
    styles: ["overview.css"],
    main: html`<p>
        <code><bdi>${endpoint.url}</bdi></code> ${healthBadge(view, endpoint)}
      </p>
      ${endpoint.description !== "" && html`<p><bdi>${endpoint.description}</bdi></p>`}
      ${healthText(view, endpoint, now)}
      <p class="soft">${endpoints.columns.since} ${instant(view.language, endpoint.createdAt)}</p>
      <p>
        <a href="${addressOf(view, "developers", "/deliveries", { endpointId: endpoint.id })}">${words.deliveries}</a>
      </p>
      <div class="charts">${chartFigure(overview.chart, figure)}</div>
      ${
        mayDevelop(view) &&
        html`<div class="actions">
            ${action("test", words.test)} ${action("secret", words.rotate)}
            ${endpoint.disabled ? action("enable", words.enable) : action("disable", words.disable)}
          </div>
          <h2>${words.change}</h2>
          <div class="narrow">${endpointForm(view, `${base}/change`, endpoint, state.problem)}</div>
          <h2>${words.replay}</h2>
          <div class="narrow">${action("replay", words.replaySubmit, "quiet", replay)}</div>
          <h2>${words.remove}</h2>
          <p class="hint">${words.removeHint}</p>
          ${action("remove", words.remove, "danger")}`
      }`,
  });
}

/** Says how an endpoint is, what waits, and what to do. */
function healthText(view: View, { disabled, disabledReason, failingSince }: Endpoint, state: EndpointNow): Html {
  const { language } = view;
  const { now: words } = language.phrases.developers.endpoint;
  const { pending, oldestDue, failed } = state;
  const counted = (value: number) => number(language, value);
  const isSending = pending > 0 && !disabled && oldestDue !== null;
  const sentences = [
    disabled
      ? words[disabledReason ?? "requested"]
      : failingSince === null
        ? words.works
        : words.fails(instant(language, failingSince)),
    ...(pending > 0 ? [words.waiting(counted(pending))] : []),
    ...(isSending ? [words.next(instant(language, oldestDue))] : []),
    ...(failed > 0 ? [words.failed(counted(failed))] : []),
  ];
  return html`<p>${sentences.join(" ")}</p>`;
}
