import { CHECK_NAMES } from "../../receipts/checks/check.ts";
import { RECEIPT_ERROR_CODES } from "../../webhooks/event.ts";
import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { dataTable, timeOf } from "../elements.ts";
import { addressOf, consolePage } from "../page.ts";
import type { View } from "../page.ts";
import { flagsOf, pointsOf, stateBadge, totalOf } from "./parts.ts";
import { filledIn } from "./query.ts";
import type { Search } from "./query.ts";
import type { Entry } from "./types.ts";

/** What the list shows; `isWrong`: the API has refused the search. */
export interface ListContent {
  readonly search: Search;
  readonly receipts: readonly Entry[];
  readonly next: string | null;
  readonly isWrong: boolean;
}

const STATES = ["", "held", "disputed", "Completed", "Failed"] as const;

/** The list of receipts with its search. */
export function receiptsPage(view: View, content: ListContent): PageDocument {
  const { receipts: words } = view.language.phrases;
  const { receipts, isWrong } = content;
  return consolePage(view, {
    title: words.title,
    section: "receipts",
    isWide: true,
    styles: ["receipts.css"],
    main: html`${searchForm(view, content)}
    ${isWrong && html`<p class="error" role="alert" id="wrong">${words.filters.wrong}</p>`}
    ${receipts.length > 0 ? table(view, receipts) : !isWrong && empty(view, content)} ${pages(view, content)}`,
  });
}

function searchForm(view: View, { search, isWrong }: ListContent): Html {
  const { receipts: words, shell } = view.language.phrases;
  const { filters } = words;
  const choice = (name: keyof Search, label: string, options: readonly (readonly [string, string])[]) =>
    html`<label>
      ${label}
      <select name="${name}">
        ${options.map(
          ([value, text]) =>
            html`<option value="${value}" ${search[name] === value && html`selected`}>${text}</option>`,
        )}
      </select>
    </label>`;
  const field = (name: keyof Search, label: string, type = "search", more: Content = null) =>
    html`<label>
      ${label}
      <input name="${name}" type="${type}" value="${search[name]}" maxlength="255" autocomplete="off" ${more} />
    </label>`;
  const anyOf = (options: readonly (readonly [string, string])[]) => [["", filters.any] as const, ...options];
  return html`<form class="filters" method="get" role="search" aria-label="${filters.label}">
    ${choice(
      "state",
      filters.state,
      STATES.map((state) => [state, words.states[state]]),
    )}
    ${choice("errorCode", filters.error, anyOf(RECEIPT_ERROR_CODES.map((code) => [code, words.errors[code]])))}
    ${choice("check", filters.check, anyOf(CHECK_NAMES.map((name) => [name, words.checks.names[name] ?? name])))}
    ${field("merchant", filters.merchant)} ${field("transactionId", filters.reference)}
    ${field("userId", filters.user, "search", isWrong && html`aria-invalid="true" aria-describedby="wrong"`)}
    ${field("from", filters.from, "date")} ${field("until", filters.until, "date")}
    <button>${shell.actions.search}</button>
    ${
      Object.keys(filledIn(search)).length > 0 &&
      html`<a class="button quiet" href="${addressOf(view, "receipts")}">${filters.reset}</a>`
    }
  </form>`;
}

function table(view: View, receipts: readonly Entry[]): Html {
  const { table: words } = view.language.phrases.receipts;
  const { accepted, shop, total, state, points, user, flags } = words;
  return dataTable({
    label: words.caption,
    // On a phone the first two are seen before one scrolls.
    columns: [accepted, state, shop, { number: total }, { number: points }, user, flags],
    rows: receipts.map((receipt) => row(view, receipt)),
  });
}

function row(view: View, receipt: Entry): Html {
  const { table: words, errors } = view.language.phrases.receipts;
  const { receiptID, merchantName, totalAmount, currency, userId, errorCode, totalPoints } = receipt;
  const address = addressOf(view, "receipts", `/${receiptID}`);
  const flags = flagsOf(view, { ...receipt, held: false });
  return html`<tr>
    <td><a href="${address}">${timeOf(view, receipt.acceptedAt)}</a></td>
    <td>${stateBadge(view, receipt)} ${errorCode !== null && html`<span class="soft">${errors[errorCode]}</span>`}</td>
    <td>
      ${merchantName === null ? html`<span class="soft">${words.unknownShop}</span>` : html`<bdi>${merchantName}</bdi>`}
    </td>
    <td class="num">${totalOf(view, totalAmount, currency)}</td>
    <td class="num">${pointsOf(view, totalPoints)}</td>
    <td>${userLink(view, userId)}</td>
    <td>${flags}</td>
  </tr>`;
}

/** A link to the page of a user. */
export function userLink(view: View, userId: string): Html {
  const short = html`<span class="code" title="${userId}">${userId.slice(0, 8)}…${userId.slice(-4)}</span>`;
  return html`<a href="${addressOf(view, "people", `/${userId}`)}">${short}</a>`;
}

function empty(view: View, { search, next }: ListContent): Html {
  const { empty: words } = view.language.phrases.receipts;
  const isFiltered = Object.keys(filledIn(search)).length > 0 || next !== null;
  return html`<div class="card">
    <h2 class="first">${words.title}</h2>
    <p>${isFiltered ? words.filtered : words.none}</p>
  </div>`;
}

function pages(view: View, { search, receipts, next }: ListContent): Html | null {
  const { shell, receipts: words } = view.language.phrases;
  const filled = filledIn(search);
  if (search.before === "" && next === null) return null;
  const older = receipts.length === 0 ? words.empty.older : shell.actions.older;
  return html`<nav class="pages" aria-label="${words.title}">
    ${
      search.before !== "" &&
      html`<a class="button quiet" href="${addressOf(view, "receipts", "", filled)}">${shell.actions.newer}</a>`
    }
    ${
      next !== null &&
      html`<a class="button quiet" rel="next" href="${addressOf(view, "receipts", "", { ...filled, before: next })}"
        >${older}</a
      >`
    }
  </nav>`;
}
