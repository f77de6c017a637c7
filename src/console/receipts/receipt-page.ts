import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import type { Explanation } from "../../points/explanation-schema.ts";
import { dataTable, fact, timeOf } from "../elements.ts";
import { colon, number, percent } from "../format.ts";
import { addressOf, consolePage } from "../page.ts";
import type { View } from "../page.ts";
import { correctionsTable, disputesTable } from "./history.ts";
import { userLink } from "./list-page.ts";
import {
  boughtAt,
  checksTable,
  fieldsTable,
  foodOf,
  gradesOf,
  heldSentences,
  pointsOf,
  stateBadge,
  totalOf,
} from "./parts.ts";
import { pictureOf } from "./picture.ts";
import { similarReceipt, toSimilar } from "./similar.ts";
import type { Line, ReadReceipt } from "./types.ts";

/** All that is shown of one receipt. */
export interface ReceiptContent extends ReadReceipt {
  /** The earlier receipt that it was found to be the same as. */
  readonly similar: ReadReceipt | null;
  /** How its points came about; null unless it is credited. */
  readonly explanation: Explanation | null;
}

/** One receipt: its lines beside its picture, and all that is known of it. */
export function receiptPage(view: View, content: ReceiptContent): PageDocument {
  const { receipts: words } = view.language.phrases;
  const { status, reading, similar, explanation } = content;
  const waits = status.held === true || status.disputes?.some(({ state }) => state === "open") === true;
  const review = addressOf(view, "review", `/${status.receiptID}`);
  return consolePage(view, {
    title: words.one(status.transactionId === status.receiptID ? status.receiptID.slice(0, 8) : status.transactionId),
    section: "receipts",
    isWide: true,
    styles: ["receipts.css"],
    scripts: ["receipt-picture.js"],
    main: html`${
        waits && view.rights.has("review") && html`<p><a class="button" href="${review}">${words.toReview}</a></p>`
      }
      <div class="beside">
        <div>
          ${factsOf(view, content)} ${similar && toSimilar(view)}
          <h2>${words.lines.title}</h2>
          ${linesTable(view, reading.lines, reading.currency)} ${titled(words.fields.title, fieldsTable(view, reading))}
          ${titled(words.checks.title, checksTable(view, status))} ${correctionsTable(view, status)}
          ${disputesTable(view, status)} ${explanationOf(view, explanation)}
        </div>
        <section class="sticky" aria-label="${words.picture.title}">
          ${
            status.receiptStatusDoc.uploadStateData.blobUrl === null
              ? html`<p class="hint">${words.picture.none}</p>`
              : pictureOf(view, reading, { isLinked: true, label: words.picture.boxes })
          }
        </section>
      </div>
      ${similar && similarReceipt(view, content, similar)}`,
  });
}

/** A part with its title; nothing where there is no part, as of a receipt that could not be read. */
function titled(title: string, part: Html | null): Html | null {
  return (
    part &&
    html`<h2>${title}</h2>
      ${part}`
  );
}

function factsOf(view: View, { status, reading, explanation }: ReceiptContent): Html {
  const { facts, errors } = view.language.phrases.receipts;
  const { held, errorCode, errorMessage, userId, transactionId, review, receiptStatusDoc: doc } = status;
  const { uploadStateData: upload } = doc;
  const points = explanation ? explanation.totalPoints : null;
  const why =
    errorCode === null ? null : html`${errors[errorCode]}${colon(view.language)} <bdi lang="en">${errorMessage}</bdi>`;
  const rows: readonly (readonly [string, Content])[] = [
    [facts.state, stateBadge(view, status)],
    [facts.why, held === true ? list(heldSentences(view, status, reading.accuracy)) : why],
    [facts.shop, reading.merchantName && html`<bdi>${reading.merchantName}</bdi>`],
    [facts.bought, boughtAt(reading)],
    [facts.total, totalOf(view, reading.totalAmount, reading.currency)],
    [facts.points, pointsOf(view, points)],
    [facts.user, userLink(view, userId)],
    [facts.reference, html`<bdi class="code">${transactionId}</bdi>`],
    [facts.accepted, timeOf(view, upload.createdAt)],
    [facts.updated, timeOf(view, status.lastUpdated)],
    [facts.source, facts.sources[upload.receiptSource]],
    [
      facts.decision,
      review?.decision
        ? html`${facts.decisions[review.decision]}${colon(view.language)} <bdi>${review.reason}</bdi>`
        : null,
    ],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => fact(name, value))}</dl>`;
}

function list(sentences: readonly Content[]): Html {
  return html`<ul class="plain-list">
    ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
  </ul>`;
}

function linesTable(view: View, lines: readonly Line[], currency: string | null): Html {
  const { lines: words } = view.language.phrases.receipts;
  if (lines.length === 0) return html`<p class="hint">${words.none}</p>`;
  const numbers = [words.quantity, words.price, words.points, words.accuracy];
  return dataTable({
    label: words.title,
    caption: words.caption,
    columns: [words.number, words.name, words.food, words.grades, ...numbers.map((name) => ({ number: name }))],
    rows: lines.map((line, i) => lineRow(view, line, i + 1, currency)),
    look: "dense",
  });
}

function lineRow(view: View, line: Line, at: number, currency: string | null): Html {
  const { lines: words } = view.language.phrases.receipts;
  const { language } = view;
  const { name, printed, quantity, unit, totalPrice, accuracy, places, points } = line;
  const digits = Number.isInteger(quantity) ? 0 : 3;
  return html`<tr id="line-${at}" data-place="${at}">
    <td>${places.length > 0 ? html`<a class="line-number" href="#box-${at}">${at}</a>` : at}</td>
    <td>
      <bdi>${name}</bdi>
      ${printed !== null && printed !== name && html`<br /><s class="soft"><bdi>${printed}</bdi></s>`}
      ${printed === null && html` <span class="soft">(${words.added})</span>`}
    </td>
    <td>${foodOf(view, line)}</td>
    <td class="nowrap">${gradesOf(view, line)}</td>
    <td class="num">${number(language, quantity, digits)} ${words.units[unit]}</td>
    <td class="num">${totalOf(view, totalPrice, currency)}</td>
    <td class="num">${pointsOf(view, points)}</td>
    <td class="num">${accuracy === null ? "" : percent(language, accuracy)}</td>
  </tr>`;
}

function explanationOf(view: View, explanation: Explanation | null): Html | null {
  const { explanation: words } = view.language.phrases.receipts;
  if (!explanation) return null;
  return html`<h2>${words.title}</h2>
    <p lang="en" dir="auto">${explanation.text}</p>
    <p lang="en" dir="auto">${explanation.arithmetic.text}</p>
    <p class="hint">${words.hint}</p>
    ${explanation.items.map(
      ({ name, totalPoints, steps }) =>
        html`<details class="steps">
          <summary><bdi>${name}</bdi> <span class="num">${number(view.language, totalPoints)}</span></summary>
          <ol>
            ${steps.map(({ text }) => html`<li><bdi lang="en">${text}</bdi></li>`)}
          </ol>
        </details>`,
    )}`;
}
