import type { Static } from "typebox";
import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { PreviewResponse } from "../../programs/preview/requests.ts";
import type { PreviewResult } from "../../programs/preview/schema.ts";
import { headings, scrolling } from "../elements.ts";
import { colon, number, signed } from "../format.ts";
import { addressOf, consolePage } from "../page.ts";
import type { View } from "../page.ts";

export type Preview = Static<typeof PreviewResponse>["preview"];

interface ShownSum {
  readonly name: string;
  readonly records: number;
  readonly pointsNow: number;
  readonly pointsDraft: number;
  readonly difference: number;
  readonly costDifference: number | null;
}

/** A preview: its progress, then its result as tables with bars. */
export function previewPage(view: View, preview: Preview): PageDocument {
  const { preview: words } = view.language.phrases.programme;
  const { version, result, failure } = preview;
  const below = version === null ? "" : `/${version}`;
  return consolePage(view, {
    title: version === null ? words.title : words.of(number(view.language, version)),
    section: "programme",
    styles: ["programme.css"],
    scripts: result || failure ? [] : ["programme-preview.js"],
    main: html`<p><a href="${addressOf(view, "programme", below)}">${words.back}</a></p>
      ${failure && html`<p class="error" role="alert">${words.failed[failure]}</p>`}
      ${result ? resultOf(view, result) : failure === null && progressOf(view, preview)}`,
  });
}

function progressOf(view: View, { id, replayed, total }: Preview): Html {
  const { preview } = view.language.phrases.programme;
  const n = (value: number) => number(view.language, value);
  return html`<p role="status">${total === null ? preview.waiting : preview.running(n(replayed), n(total))}</p>
    ${total !== null && total > 0 && html`<progress max="${total}" value="${replayed}">${n(replayed)}</progress>`}
    <p>
      <a class="button quiet" data-reload href="${addressOf(view, "programme", `/previews/${id}`)}"
        >${preview.reload}</a
      >
    </p>`;
}

function resultOf(view: View, result: PreviewResult): Html {
  const { preview } = view.language.phrases.programme;
  const { total, byDay, bySource, byFoodGroup, byCampaign, byBonus, users, notes } = result;
  const n = (value: number) => number(view.language, value);
  if (total.records === 0 && total.pointsNow === 0)
    return html`<p class="lead">${preview.empty}</p>
      ${notesOf(view, notes)}`;
  const tables: readonly (readonly [keyof typeof preview.views, readonly ShownSum[]])[] = [
    ["byDay", byDay.map(({ day, ...sum }) => ({ name: day, ...sum }))],
    ["bySource", bySource.map(({ source, ...sum }) => ({ name: source, ...sum }))],
    ["byFoodGroup", byFoodGroup.map(({ foodGroup, ...sum }) => ({ name: foodGroup, ...sum }))],
    ["byCampaign", byCampaign.map(({ campaign, ...sum }) => ({ name: campaign, ...sum }))],
    ["byBonus", byBonus.map(({ bonus, ...sum }) => ({ name: bonus, ...sum }))],
  ];
  return html`${sumTable(view, preview.total, [{ name: preview.total, ...total }])}
    <p>
      ${preview.users}${colon(view.language)} ${preview.winners(n(users.winners))}, ${preview.losers(n(users.losers))}
    </p>
    ${tables.map(([which, sums]) => sums.length > 0 && sumTable(view, preview.views[which], sums))}
    ${notesOf(view, notes)}`;
}

function notesOf(view: View, notes: readonly string[]): Html | null {
  if (notes.length === 0) return null;
  return html`<h2>${view.language.phrases.programme.preview.notes}</h2>
    <ul>
      ${notes.map((note) => html`<li><bdi lang="en">${note}</bdi></li>`)}
    </ul>`;
}

/** Before and after, as numbers and as two bars. */
function sumTable(view: View, title: string, sums: readonly ShownSum[]): Html {
  const { preview } = view.language.phrases.programme;
  const n = (value: number) => number(view.language, value);
  const largest = Math.max(1, ...sums.flatMap(({ pointsNow, pointsDraft }) => [pointsNow, pointsDraft]));
  const width = (value: number) => `${Math.round((Math.max(0, value) / largest) * 100)}%`;
  const hasCost = sums.some(({ costDifference }) => costDifference !== null);
  const numbers = [preview.records, preview.now, preview.draft, preview.difference, ...(hasCost ? [preview.cost] : [])];
  const legend = html`<td aria-hidden="true" class="hint">
    <span class="bar swatch"></span> ${preview.now} <span class="bar after swatch"></span> ${preview.draft}
  </td>`;
  return html`<h2>${title}</h2>
    ${scrolling(
      title,
      html`<table class="sums">
        ${headings([title, ...numbers.map((name) => ({ number: name }))], legend)}
        <tbody>
          ${sums.map(
            ({ name, records, pointsNow, pointsDraft, difference, costDifference }) =>
              html`<tr>
                <th scope="row"><bdi>${name}</bdi></th>
                <td class="num">${n(records)}</td>
                <td class="num">${n(pointsNow)}</td>
                <td class="num">${n(pointsDraft)}</td>
                <td class="num">${signed(view.language, difference)}</td>
                ${
                  hasCost &&
                  html`<td class="num">${costDifference === null ? "" : number(view.language, costDifference, 2)}</td>`
                }
                <td class="bars" aria-hidden="true">
                  <span class="bar" style="inline-size: ${width(pointsNow)}"></span>
                  <span class="bar after" style="inline-size: ${width(pointsDraft)}"></span>
                </td>
              </tr>`,
          )}
        </tbody>
      </table>`,
    )}`;
}
