import { html, raw } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import { dataTable } from "../elements.ts";
import { CHART_SIZES, chartNumber } from "./chart.ts";
import type { ChartSeries, ChartSpec, DrawnChart } from "./chart.ts";

/** The words around charts. */
export interface ChartWords {
  readonly table: string;
  readonly csv: string;
  readonly notDrawn: string;
  /** Of a series: from, till, lowest and highest with their labels, and the last. */
  readonly described: (of: {
    name: string;
    min: string;
    minAt: string;
    max: string;
    maxAt: string;
    last: string;
  }) => string;
  readonly rising: string;
  readonly falling: string;
  readonly level: string;
}

/** The numbers of a chart as a table: the same for everybody, whether they see the picture or not. */
export interface ChartTable {
  readonly caption: string;
  readonly head: readonly string[];
  /** The first cell of a row is its heading; the others are numbers, already written. */
  readonly rows: readonly (readonly string[])[];
  readonly csv: string | null;
}

export interface Figure {
  /** An id on the page. */
  readonly id: string;
  readonly title: string;
  /** What it says in a sentence: also the picture's description. */
  readonly sentence: Content;
  readonly hint?: string;
  /** Null: there is nothing to draw. */
  readonly spec: ChartSpec | null;
  readonly drawn: DrawnChart | null;
  readonly table: ChartTable;
}

/** A chart with its heading, a sentence, and the table with its CSV behind it. */
export function chartFigure(words: ChartWords, figure: Figure): Html {
  const { id, title, sentence, hint, spec, drawn, table } = figure;
  const picture = drawn
    ? (["wide", "narrow"] as const).map((width) => pictureOf(words, { id, title, spec }, width, drawn[width]))
    : html`<p class="hint">${words.notDrawn}</p>`;
  return html`<section class="card chart" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    <p>${sentence}</p>
    ${spec && picture} ${hint !== undefined && html`<p class="hint">${hint}</p>`} ${tableOf(words, table, title)}
  </section>`;
}

/** The drawn picture with its name and description; whatever it shows is in the table too. */
function pictureOf(
  words: ChartWords,
  { id, title, spec }: Pick<Figure, "id" | "title" | "spec">,
  width: "wide" | "narrow",
  drawn: string,
): Html {
  const [name, about] = [`${id}-${width}-title`, `${id}-${width}-about`];
  const [w, h] = CHART_SIZES[width];
  const description = spec?.series.map((series) => describe(words, spec, series)).join(" ") ?? "";
  // The library counts its ids; on a page each chart has ids of its own.
  const inside = drawn
    .replace(/^<svg[^>]*>/, "")
    .replace(/<\/svg>\s*$/, "")
    .replaceAll(/( id="|"url\(#)zr\d+-/g, `$1${id}-${width}-`);
  // Drawn by the library from the spec, all texts escaped by it: charts.test.ts.
  return html`<svg
    class="${width}"
    viewBox="0 0 ${w} ${h}"
    role="img"
    aria-labelledby="${name}"
    aria-describedby="${about}"
    focusable="false"
  >
    <title id="${name}">${title}</title>
    <desc id="${about}">${description}</desc>
    ${raw(inside)}
  </svg>`;
}

/** Lowest, highest, last, and where it goes, in a sentence. */
export function describe(
  words: ChartWords,
  { locale, unit, labels }: ChartSpec,
  { name, values }: ChartSeries,
): string {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, at: labels[index] ?? "" }]));
  const last = known.at(-1);
  if (!last) return "";
  const least = known.reduce((a, b) => (b.value < a.value ? b : a));
  const most = known.reduce((a, b) => (b.value > a.value ? b : a));
  const written = (value: number) => chartNumber(locale, unit, value);
  const [min, max] = [written(least.value), written(most.value)];
  const text = words.described({ name, min, minAt: least.at, max, maxAt: most.at, last: written(last.value) });
  return known.length < 4
    ? text
    : `${text} ${trendOf(
        words,
        known.map(({ value }) => value),
      )}`;
}

/** Compares the mean of the second half with that of the first: within a twentieth is level. */
function trendOf(words: ChartWords, values: readonly number[]): string {
  const half = Math.floor(values.length / 2);
  const mean = (some: readonly number[]) => some.reduce((sum, value) => sum + value, 0) / some.length;
  const [first, second] = [mean(values.slice(0, half)), mean(values.slice(-half))];
  const difference = second - first;
  if (Math.abs(difference) <= Math.abs(first) / 20) return words.level;
  return difference > 0 ? words.rising : words.falling;
}

function tableOf(
  { table: shown, csv }: ChartWords,
  { caption, head, rows, csv: address }: ChartTable,
  title: string,
): Html {
  const [first = "", ...others] = head;
  const columns = [first, ...others.map((name) => ({ number: name }))];
  const written = rows.map(
    ([heading = "", ...cells]) =>
      html`<tr>
        <th scope="row">${heading}</th>
        ${cells.map((cell) => html`<td class="num">${cell}</td>`)}
      </tr>`,
  );
  return html`<details class="behind">
    <summary>${shown}<span class="visually-hidden">: ${title}</span></summary>
    ${dataTable({ label: `${shown}: ${caption}`, caption, columns, rows: written })}
    ${
      address !== null &&
      html`<p>
        <a href="${address}" download>${csv}<span class="visually-hidden">: ${title}</span></a>
      </p>`
    }
  </details>`;
}
