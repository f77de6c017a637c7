import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { UnknownName } from "../../unknown-names/schema.ts";
import { dataTable } from "../elements.ts";
import { day, money, number } from "../format.ts";
import { addressOf, consolePage } from "../page.ts";
import type { View } from "../page.ts";
import { pager } from "../pager.ts";
import { doneNotice } from "../problem.ts";
import { TIMEFRAMES, fieldsOfMeaning, queryOfPlace } from "./meaning.ts";
import type { ListedNames, Meaning, Place } from "./meaning.ts";

/** Suggestions of a name in the list; the page of the name has more. */
const SUGGESTIONS = 2;

/** The names, the most frequent first, each with its likely meanings. */
export function listPage(
  view: View,
  { listed, place, done }: { listed: ListedNames; place: Place; done: string | null },
): PageDocument {
  const { names } = view.language.phrases;
  return consolePage(view, {
    title: names.title,
    section: "names",
    isWide: true,
    styles: ["names.css"],
    scripts: ["names.js"],
    main: html`${doneNotice(names.done, done)}
      <p class="soft">${names.lead}</p>
      ${filters(view, place)} ${keysHint(view)}
      ${listed.names.length === 0 ? html`<p class="lead">${names.none}</p>` : tableOf(view, listed.names, place)}
      ${pager(view, {
        page: place.page,
        count: listed.count,
        addressOfPage: (page) => addressOf(view, "names", "", queryOfPlace({ ...place, page })),
      })}`,
  });
}

function filters(view: View, place: Place): Html {
  const { names, shell } = view.language.phrases;
  return html`<form class="filters" method="get" action="${addressOf(view, "names")}">
    <label>
      ${names.filters.time}
      <select name="timeframe">
        ${TIMEFRAMES.map(
          (each) =>
            html`<option value="${each}" ${each === place.timeframe && html`selected`}>
              ${names.filters.times[each]}
            </option>`,
        )}
      </select>
    </label>
    <label>
      ${names.filters.spend}
      <input name="spendIn" value="${place.spendIn}" maxlength="3" placeholder="EUR" autocapitalize="characters" />
    </label>
    <button class="quiet">${shell.actions.apply}</button>
  </form>`;
}

/** Shown by the script, which makes the keys work. */
function keysHint(view: View): Html {
  const { keys } = view.language.phrases.names;
  return html`<div class="keys" hidden data-keys>
    <label><input type="checkbox" checked /> ${keys.toggle}</label>
    <p class="hint">${keys.text}</p>
  </div>`;
}

function tableOf(view: View, listed: readonly UnknownName[], place: Place): Html {
  const { columns, title } = view.language.phrases.names;
  const { name, times, people, spend, last, meaning } = columns;
  return dataTable({
    label: title,
    // The meanings early: on a phone the rest is scrolled to.
    columns: [name, { number: times }, meaning, { number: people }, { number: spend }, last],
    rows: listed.map((each) => rowOf(view, each, place)),
    look: "names",
  });
}

function rowOf(view: View, each: UnknownName, place: Place): Html {
  const { language } = view;
  const { names } = language.phrases;
  const { id, name, times, users, spend, merchants, lastSeen, candidates } = each;
  const address = (below: string, meaning?: Meaning) =>
    addressOf(view, "names", `/${id}${below}`, { ...queryOfPlace(place), ...(meaning && fieldsOfMeaning(meaning)) });
  const suggested = candidates.slice(0, SUGGESTIONS).map(
    ({ foodId, name: food }, i) =>
      html`<a
        class="button quiet"
        href="${address("/preview", { foodId, merchantName: "" })}"
        ${i === 0 && html`data-first`}
      >
        <bdi>${food}</bdi>
      </a>`,
  );
  return html`<tr data-row>
    <th scope="row">
      <a href="${address("")}"><bdi>${name}</bdi></a>
      ${
        merchants.length > 0 &&
        html`<br /><span class="soft"><bdi>${merchants.map(({ merchantName }) => merchantName).join(", ")}</bdi></span>`
      }
    </th>
    <td class="num">${number(language, times)}</td>
    <td>
      <div class="actions">
        ${suggested}
        <a class="button quiet" data-not-food href="${address("/preview", { foodId: null, merchantName: "" })}">
          ${names.notFood}
        </a>
        <a class="button quiet" data-search href="${address("")}">${names.search}</a>
      </div>
    </td>
    <td class="num">${number(language, users)}</td>
    <td class="num">${spend.map(({ currency, amount }) => money(language, amount, currency)).join(" · ")}</td>
    <td>${day(language, lastSeen)}</td>
  </tr>`;
}
