import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { PERIODS } from "../../reports/periods.ts";
import { chartFigure } from "../charts/figure.ts";
import type { DrawnChart } from "../charts/chart.ts";
import { day, instant, number } from "../format.ts";
import { addressOf, consolePage } from "../page.ts";
import type { View } from "../page.ts";
import type { Overview } from "./charts.ts";
import type { KeyFigure, Planned } from "./plan.ts";
import { PRESETS } from "./timeframe.ts";
import type { AskedFrame, Preset } from "./timeframe.ts";

/** A chart with its picture. */
export interface DrawnFigure {
  readonly planned: Planned;
  readonly drawn: DrawnChart | null;
}

/** What waits for a person now. */
export interface ReviewNow {
  readonly held: number;
  readonly heldSince: string | null;
  readonly disputed: number;
}

export interface OverviewContent {
  readonly asked: AskedFrame;
  readonly overview: Overview;
  readonly figures: readonly DrawnFigure[];
  readonly review: ReviewNow;
  /** Days before have no figures; null: all have. */
  readonly completeSince: string | null;
}

/** Shows the figures of an application: the key ones in large, then the charts. */
export function overviewPage(view: View, content: OverviewContent): PageDocument {
  const { overview: words } = view.language.phrases;
  const { asked, overview, figures, review, completeSince } = content;
  const main = html`${frameForm(view, asked)} ${frameText(view, asked, completeSince)}
    ${overview.isEmpty ? emptyState(view) : null}
    <dl class="key" aria-label="${words.key}">
      ${overview.isEmpty ? null : overview.key.map(keyFigure)} ${reviewFigures(view, review)}
    </dl>
    <div class="charts">
      ${figures.filter(({ planned }) => !overview.isEmpty || planned.id === "webhooks").map((each) => figure(view, asked, each))}
    </div>`;
  return consolePage(view, { title: words.title, section: "overview", main, styles: ["overview.css"] });
}

function frameForm(view: View, { frame, typed, problem }: AskedFrame): Html {
  const { frame: words } = view.language.phrases.overview;
  const presets = (Object.keys(PRESETS) as Preset[]).map((preset) => {
    const current = preset === frame.preset && html`aria-current="true"`;
    const address = addressOf(view, "overview", "", { last: preset });
    return html`<li><a href="${address}" ${current}>${words.presets[preset]}</a></li>`;
  });
  const dayField = (name: "from" | "till") =>
    html`<label
      >${words[name]}
      <input
        type="date"
        name="${name}"
        value="${typed[name] === "" ? frame[name] : typed[name]}"
        ${problem !== null && html`aria-invalid="true" aria-describedby="frame-problem"`}
      />
    </label>`;
  const isOpen = (problem !== null || frame.preset === null) && html`open`;
  return html`<nav aria-label="${words.label}">
      <ul class="presets">
        ${presets}
      </ul>
    </nav>
    <details class="own behind" ${isOpen}>
      <summary>${words.own}</summary>
      ${problem !== null && html`<p class="error" role="alert" id="frame-problem">${words.errors[problem]}</p>`}
      <form class="filters" method="get" action="${addressOf(view, "overview")}">
        ${dayField("from")} ${dayField("till")}
        <label
          >${words.by}
          <select name="by">
            ${PERIODS.map((by) => html`<option value="${by}" ${by === frame.by && html`selected`}>${words.periods[by]}</option>`)}
          </select>
        </label>
        <button class="quiet">${words.submit}</button>
      </form>
    </details>`;
}

function frameText(view: View, { frame }: AskedFrame, completeSince: string | null): Html {
  const { language } = view;
  const { frame: words } = language.phrases.overview;
  const written = (date: string) => day(language, date);
  const isIncomplete = completeSince !== null && completeSince > frame.before[0]!;
  return html`<p class="hint">
    <strong>${words.shown(written(frame.from), written(frame.till))}</strong> ·
    ${words.compared(written(frame.before[0]!), written(frame.beforeTill))}
    ${frame.isCoarser && words.coarser[frame.by]} ${isIncomplete && words.incomplete(written(completeSince))}
  </p>`;
}

function keyFigure({ name, value, change }: KeyFigure): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd class="large">${value}</dd>
    <dd class="change">${change}</dd>
  </div>`;
}

/** What waits for a person, with a link where the person may decide. */
function reviewFigures(view: View, { held, heldSince, disputed }: ReviewNow): Html[] {
  const { language, rights } = view;
  const { review: words } = language.phrases.overview;
  const isLinked = rights.has("review");
  const value = (count: number) => {
    const text = number(language, count);
    return isLinked && count > 0 ? html`<a href="${addressOf(view, "review")}">${text}</a>` : text;
  };
  const figures = [
    {
      name: words.name,
      count: held,
      about: heldSince === null ? words.none : words.since(instant(language, heldSince)),
    },
    { name: words.disputed, count: disputed, about: disputed === 0 ? words.none : null },
  ];
  return figures.map(
    ({ name, count, about }) =>
      html`<div>
        <dt>${name}</dt>
        <dd class="large">${value(count)}</dd>
        ${about !== null && html`<dd class="change">${about}</dd>`}
      </div>`,
  );
}

function emptyState(view: View): Html {
  const { empty } = view.language.phrases.overview;
  return html`<div class="card empty">
    <h2>${empty.title}</h2>
    <p>${empty.text}</p>
    <p class="actions">
      <a class="button quiet" href="${addressOf(view, "overview", "", { last: "12m" })}">${empty.longer}</a>
      <a href="${view.basePath}/docs">${empty.reference}</a>
    </p>
  </div>`;
}

function figure(view: View, { frame }: AskedFrame, { planned, drawn }: DrawnFigure): Html {
  const { chart } = view.language.phrases.overview;
  const { id, title, sentence, hint, spec, table, report } = planned;
  const range = { from: frame.from, till: frame.till, by: frame.by };
  const csv = addressOf(view, "overview", `/csv/${report}`, range);
  if (spec === null && id !== "webhooks") {
    return html`<section class="card chart" aria-labelledby="${id}">
      <h2 id="${id}">${title}</h2>
      <p>${sentence}</p>
    </section>`;
  }
  return chartFigure(chart, { id, title, sentence, hint, spec, drawn, table: { ...table, csv } });
}
