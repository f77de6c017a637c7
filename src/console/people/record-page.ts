import type { Static } from "typebox";
import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { OPERATION } from "../../points/codes.ts";
import type { Explanation } from "../../points/explanation-schema.ts";
import type { TransactionRecord } from "../../points/schema.ts";
import type { VoucherDocument } from "../../rewards/vouchers/schema.ts";
import { dataTable, fact } from "../elements.ts";
import { instant, money, number } from "../format.ts";
import { addressOf, consolePage, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { fieldState, problemBox } from "../problem.ts";
import type { ShownProblem } from "../problem.ts";
import { kindOf, wayBackOf } from "./kinds.ts";
import { signed } from "./person-page.ts";

export interface RecordContent {
  readonly userId: string;
  readonly record: TransactionRecord;
  /** Null: nothing was computed. */
  readonly explanation: Static<typeof Explanation> | null;
  readonly voucher: VoucherDocument | null;
  readonly typedReason: string;
  readonly chosenItems: readonly string[];
  readonly problem: ShownProblem | null;
}

/** One record: what it was, how its points came about, and taking it back. */
export function recordPage(view: View, content: RecordContent): PageDocument {
  const { people } = view.language.phrases;
  const { record, userId, explanation, problem } = content;
  const wayBack = view.rights.has("manage") ? wayBackOf(record) : null;
  return consolePage(view, {
    title: people.record.title(kindOf(view.language, record)),
    section: "people",
    styles: ["people.css"],
    main: html`<p><a href="${addressOf(view, "people", `/${userId}`)}">${people.record.back}</a></p>
      ${problemBox(problem)} ${factsOf(view, content)} ${itemsTable(view, record)}
      ${
        explanation &&
        html`<h2>${people.record.explanation}</h2>
          ${explained(explanation)}`
      }
      ${wayBack === "reverse" && reverseForm(view, content)} ${wayBack === "refund" && refundForm(view, content)}`,
  });
}

function factsOf(view: View, { userId, record, voucher }: RecordContent): Html {
  const { language } = view;
  const { record: words, statuses, history } = language.phrases.people;
  const { transaction, reward, reason, relatedTransactionID } = record;
  const related = relatedTransactionID ?? "";
  const { usedAt, till, state } = voucher ?? { usedAt: null, till: "", state: null };
  return html`<dl class="facts card narrow">
    <div class="balance">
      <dt>${history.points}</dt>
      <dd>${signed(view, record.totalPoints)}</dd>
    </div>
    ${fact(history.status, statuses[record.status])} ${fact(words.reason, reason && html`<bdi>${reason}</bdi>`)}
    ${fact(words.merchant, transaction.brand && html`<bdi>${transaction.brand}</bdi>`)}
    ${transaction.totalAmount !== 0 && fact(words.amount, money(language, transaction.totalAmount, null))}
    ${fact(words.reward, reward.name && html`<bdi>${reward.name}</bdi>`)}
    ${fact(words.code, reward.code && html`<code>${reward.code}</code>`)}
    ${state && fact(words.voucher, words.voucherStates[state])}
    ${usedAt !== null && fact("", words.usedAt(instant(language, usedAt), till))}
    ${record.operation === OPERATION.earn && fact(words.at, instant(language, transaction.timestamp))}
    ${fact(words.booked, instant(language, record.createdAt))}
    ${fact(words.reference, transaction.externalTransactionID)}
    ${fact(
      words.related,
      related &&
        html`<a href="${addressOf(view, "people", `/${userId}/records/${related}`)}"><code>${related}</code></a>`,
    )}
    ${fact(words.id, html`<code>${record.id}</code>`)}
  </dl>`;
}

function itemsTable(view: View, { transaction }: TransactionRecord): Html | null {
  const { record, history } = view.language.phrases.people;
  const items = [...transaction.items, ...transaction.excludedItems];
  if (items.length === 0) return null;
  const grade = (rating: number | null) => {
    const letter = rating === null ? null : "ABCDE"[rating - 1];
    return letter && html`<span class="grade grade-${letter}">${letter}</span>`;
  };
  const rows = items.map(
    (item) =>
      html`<tr>
        <td><bdi>${item.name}</bdi></td>
        <td><bdi>${"exclusionReason" in item ? record.excluded : item.matchedIngredientName}</bdi></td>
        <td>${grade(item.carbonImpactRating) ?? null}</td>
        <td>${grade(item.healthImpactRating) ?? null}</td>
        <td class="num">${number(view.language, item.totalServicePoints)}</td>
      </tr>`,
  );
  const columns = [record.item, record.food, record.carbon, record.health, { number: history.points }];
  return html`<h2>${record.items}</h2>
    ${dataTable({ label: record.items, columns, rows })}`;
}

/** The texts of an explanation: the record, then each item step by step. */
function explained({ text, arithmetic, extras = [], items }: Static<typeof Explanation>): Html {
  return html`<p lang="en" dir="auto">${text}</p>
    <p lang="en" dir="auto">${arithmetic.text}</p>
    ${
      extras.length > 0 &&
      html`<ul>
        ${extras.map((extra) => html`<li><bdi lang="en">${extra.text}</bdi></li>`)}
      </ul>`
    }
    ${items.map(
      (item) =>
        html`<details>
          <summary><bdi>${item.name}</bdi></summary>
          <ol class="steps">
            ${item.steps.map((step) => html`<li><bdi lang="en">${step.text}</bdi></li>`)}
          </ol>
        </details>`,
    )}`;
}

function reasonField(view: View, { typedReason, problem }: RecordContent): Html {
  const { adjust } = view.language.phrases.people;
  return html`<label>
      ${adjust.reason}
      <input
        name="reason"
        required
        maxlength="255"
        value="${typedReason}"
        ${fieldState(problem, "reason") ?? html`aria-describedby="reason-hint"`}
      />
    </label>
    <p class="hint" id="reason-hint">${adjust.reasonHint}</p>`;
}

function reverseForm(view: View, content: RecordContent): Html {
  const { reverse } = view.language.phrases.people;
  const { record, userId, chosenItems } = content;
  const { items } = record.transaction;
  const choices = items.map(
    (item) =>
      html`<li>
        <label>
          <input type="checkbox" name="item" value="${item.id}" ${chosenItems.includes(item.id) && html`checked`} />
          <bdi>${item.name}</bdi> (${number(view.language, item.totalServicePoints)})
        </label>
      </li>`,
  );
  const form = html`${reasonField(view, content)}
    ${
      items.length > 1 &&
      html`<fieldset>
        <legend>${reverse.items}</legend>
        <p class="hint">${reverse.lead}</p>
        <ul class="choices">
          ${choices}
        </ul>
      </fieldset>`
    } <button>${reverse.next}</button>`;
  return html`<section class="narrow" aria-labelledby="reverse">
    <h2 id="reverse">${reverse.title}</h2>
    ${postForm(view, addressOf(view, "people", `/${userId}/records/${record.id}/reverse`), form)}
  </section>`;
}

function refundForm(view: View, content: RecordContent): Html {
  const { refund, reverse } = view.language.phrases.people;
  const { record, userId } = content;
  const form = html`<p>${refund.lead}</p>
    ${reasonField(view, content)}<button>${reverse.next}</button>`;
  return html`<section class="narrow" aria-labelledby="refund">
    <h2 id="refund">${refund.title}</h2>
    ${postForm(view, addressOf(view, "people", `/${userId}/records/${record.id}/refund`), form)}
  </section>`;
}
