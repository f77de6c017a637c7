import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { Candidate } from "../../foods/schema.ts";
import type { MeaningPreview, UnknownName } from "../../unknown-names/schema.ts";
import { fact } from "../elements.ts";
import { day, money, number, percent } from "../format.ts";
import { addressOf, consolePage, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { problemBox } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { fieldsOfMeaning, queryOfPlace } from "./meaning.ts";
import type { Meaning, Place } from "./meaning.ts";

export interface NameContent {
  readonly name: UnknownName;
  readonly place: Place;
  /** What was searched; empty: nothing yet. */
  readonly searched: string;
  readonly candidates: readonly Candidate[];
  readonly problem: ShownProblem | null;
}

/** One name: where it was seen, and what it may mean. */
export function namePage(view: View, content: NameContent): PageDocument {
  const { one } = view.language.phrases.names;
  const { name, place, problem } = content;
  return consolePage(view, {
    title: name.name,
    section: "names",
    styles: ["names.css"],
    scripts: ["names.js"],
    main: html`<p><a href="${addressOf(view, "names", "", queryOfPlace(place))}">${one.back}</a></p>
      ${problemBox(problem)}
      <div class="name-columns">
        <div>${searchForm(view, content)} ${meaningForm(view, content)}</div>
        ${factsOf(view, name)}
      </div>`,
  });
}

function factsOf(view: View, name: UnknownName): Html {
  const { language } = view;
  const { one } = language.phrases.names;
  const { receipt, meal, food } = name.sources;
  const row = (label: string, value: string) => fact(label, value && html`<bdi>${value}</bdi>`);
  const n = (value: number) => number(language, value);
  return html`<dl class="facts card">
    ${row(one.times, n(name.times))} ${row(one.sources, one.source(n(receipt), n(meal), n(food)))}
    ${row(one.people, n(name.users))}
    ${row(one.merchants, name.merchants.map((each) => one.merchant(each.merchantName, n(each.times))).join(", "))}
    ${row(one.spend, name.spend.map(({ currency, amount }) => money(language, amount, currency)).join(", "))}
    ${row(one.first, day(language, name.firstSeen))} ${row(one.last, day(language, name.lastSeen))}
  </dl>`;
}

function placeFields(place: Place): Html[] {
  return Object.entries(queryOfPlace(place)).map(
    ([field, value]) => html`<input type="hidden" name="${field}" value="${value}" />`,
  );
}

function searchForm(view: View, { name, place, searched }: NameContent): Html {
  const { names, shell } = view.language.phrases;
  return html`<form class="filters" method="get" action="${addressOf(view, "names", `/${name.id}`)}" role="search">
    ${placeFields(place)}
    <label>
      ${names.one.field}
      <input
        name="q"
        type="search"
        value="${searched}"
        maxlength="255"
        autocomplete="off"
        data-foods="${addressOf(view, "names", "/foods")}"
      />
    </label>
    <button class="quiet">${shell.actions.search}</button>
  </form>`;
}

function meaningForm(view: View, { name, place, candidates, searched }: NameContent): Html {
  const { language } = view;
  const { names } = language.phrases;
  const { one } = names;
  const merchants = name.merchants.map(({ merchantName }) => merchantName).filter((each) => each !== "");
  return html`<form method="get" action="${addressOf(view, "names", `/${name.id}/preview`)}">
    ${placeFields(place)}
    <fieldset>
      <legend>${one.found}</legend>
      <div data-choices aria-live="polite" data-likely="${one.sure("{share}")}" data-nothing="${one.nothing}">
        ${candidates.length === 0 && searched !== "" && html`<p class="soft">${one.nothing}</p>`}
        ${candidates.map(
          ({ foodId, name: food, confidence }, i) =>
            html`<label>
              <input type="radio" name="means" value="food:${foodId}" required ${i === 0 && html`checked`} />
              <bdi>${food}</bdi> <span class="soft">${one.sure(percent(language, confidence))}</span>
            </label>`,
        )}
      </div>
      <label>
        <input type="radio" name="means" value="not-food" required ${candidates.length === 0 && html`checked`} />
        ${names.notFood}
      </label>
    </fieldset>
    ${
      merchants.length > 0 &&
      html`<label>
        ${one.at}
        <select name="merchantName">
          <option value="">${one.anywhere}</option>
          ${merchants.map((merchant) => html`<option value="${merchant}">${one.only(merchant)}</option>`)}
        </select>
      </label>`
    }
    <button>${one.show}</button>
  </form>`;
}

export interface PreviewContent {
  readonly name: UnknownName;
  readonly place: Place;
  readonly meaning: Meaning;
  readonly preview: MeaningPreview;
  readonly problem: ShownProblem | null;
}

/** What a meaning would change; its button applies it. */
export function previewPage(view: View, content: PreviewContent): PageDocument {
  const { language } = view;
  const { names } = language.phrases;
  const words = names.preview;
  const { name, meaning, preview, problem } = content;
  const n = (value: number) => number(language, value);
  const food = meaning.foodId === null ? names.notFood : (preview.food ?? words.unrated);
  const at = meaning.merchantName === "" ? "" : ` (${names.one.only(meaning.merchantName)})`;
  const examples = preview.changes.map(
    ({ userID, transactionID, pointsBefore, pointsAfter }) =>
      html`<li>
        <a href="${addressOf(view, "people", `/${userID}/records/${transactionID}`)}">
          ${words.change(n(pointsBefore), n(pointsAfter))}
        </a>
      </li>`,
  );
  return consolePage(view, {
    title: words.title(name.name),
    section: "names",
    styles: ["names.css"],
    scripts: ["names.js"],
    main: html`<div class="narrow">
      ${problemBox(problem)}
      <dl class="facts card">
        <div class="meaning">
          <dt>${words.means}</dt>
          <dd><bdi>${food}${at}</bdi></dd>
        </div>
      </dl>
      <p>${words.nowOn}</p>
      <h2>${words.if}</h2>
      <dl class="facts card">
        ${fact(words.submissions, n(preview.submissions))} ${fact(words.scored, n(preview.scored))}
        ${fact(words.records, n(preview.records))}
        ${fact(words.points, words.change(n(preview.pointsBefore), n(preview.pointsAfter)))}
      </dl>
      ${
        examples.length > 0 &&
        html`<h3>${words.examples}</h3>
          <ul>
            ${examples}
          </ul>`
      }
      ${view.rights.has("review") && applyForm(view, content)}
    </div>`,
  });
}

function applyForm(view: View, { name, place, meaning }: PreviewContent): Html {
  const { names, shell } = view.language.phrases;
  const words = names.preview;
  return postForm(
    view,
    addressOf(view, "names", `/${name.id}/apply`, queryOfPlace(place)),
    html`${Object.entries(fieldsOfMeaning(meaning)).map(
        ([field, value]) => html`<input type="hidden" name="${field}" value="${value}" />`,
      )}
      <div class="actions">
        <button data-focus>${words.apply}</button>
        <a class="button quiet" href="${addressOf(view, "names", `/${name.id}`, queryOfPlace(place))}"
          >${words.other}</a
        >
        <a class="button quiet" href="${addressOf(view, "names", "", queryOfPlace(place))}">${shell.actions.cancel}</a>
      </div>`,
  );
}
