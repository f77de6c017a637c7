import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import type { PageDocument } from "../../html/document.ts";
import { badge, timeOf } from "../elements.ts";
import { counted, number, signed } from "../format.ts";
import { addressOf, consolePage } from "../page.ts";
import type { View } from "../page.ts";
import { doneNotice } from "../problem.ts";
import { userLink } from "../receipts/list-page.ts";
import { checksTable, heldSentences, totalOf } from "../receipts/parts.ts";
import { pictureOf } from "../receipts/picture.ts";
import { similarReceipt, toSimilar } from "../receipts/similar.ts";
import type { Entry, ReadReceipt } from "../receipts/types.ts";
import type { FieldErrors, Typed } from "./form.ts";
import { correctionForm } from "./correction-form.ts";
import { neighboursOf } from "./queue.ts";
import type { Queue } from "./queue.ts";
import { disputesOf, rejectForm } from "./reject.ts";

/** What a correction would book, or null if it is not known. */
export interface Points {
  /** All points, or the difference of a receipt that is credited. */
  readonly now: number | null;
  readonly corrected: number | null;
  readonly waived: number;
}

/** One receipt of the queue, with the form as typed. */
export interface ReviewContent {
  readonly queue: Queue;
  readonly current: (ReadReceipt & { readonly similar: ReadReceipt | null }) | null;
  readonly typed: Typed | null;
  readonly points: Points;
  readonly errors: FieldErrors;
  /** A sentence about what the API has refused. */
  readonly refusal: string | null;
  /** The last change was done. */
  readonly done: string | null;
  /** Somebody else was first. */
  readonly late: string | null;
}

/** The queue, with one receipt to decide. */
export function reviewPage(view: View, content: ReviewContent): PageDocument {
  const { review } = view.language.phrases;
  const { queue, current, done, late } = content;
  return consolePage(view, {
    title: review.title,
    section: "review",
    isWide: true,
    styles: ["receipts.css", "review.css"],
    scripts: ["receipt-picture.js", "review.js"],
    main: html`${doneNotice(review.done, done)}
    ${late !== null && html`<div class="error" role="alert"><strong>${review.late.title}</strong> ${late}</div>`}
    ${current ? one(view, content, current) : nothing(view, queue)}`,
  });
}

function nothing(view: View, { waiting }: Queue): Html {
  const { review } = view.language.phrases;
  const first = waiting[0];
  if (first) {
    const address = addressOf(view, "review", `/${first.receiptID}`);
    return html`<p><a class="button" href="${address}">${review.late.next}</a></p>`;
  }
  return html`<div class="card">
    <h2 class="first">${review.empty.title}</h2>
    <p>${review.empty.text}</p>
    <p class="hint">${review.empty.hint}</p>
    <pre><code>npm run cli -- app review --client-id … --min-confidence 0.6 --hold-on amount_as_declared</code></pre>
  </div>`;
}

function one(view: View, content: ReviewContent, current: NonNullable<ReviewContent["current"]>): Html {
  const { review, receipts } = view.language.phrases;
  const { queue } = content;
  const { status, reading, similar } = current;
  const { previous, next } = neighboursOf(queue, status.receiptID);
  const isHeld = status.held === true;
  const isWaiting = isHeld || status.disputes?.some(({ state }) => state === "open") === true;
  const link = (id: string | null, rel: string, text: string) =>
    id !== null && html`<a class="button quiet" rel="${rel}" href="${addressOf(view, "review", `/${id}`)}">${text}</a>`;
  return html`<div class="queue-bar">
      <p class="count">${counted(view.language, queue.hasMore ? review.more : review.waiting, queue.waiting.length)}</p>
      <div class="actions">${link(previous, "prev", review.previous)} ${link(next, "next", review.next)}</div>
      ${keysOf(view)}
    </div>
    <div class="beside" data-review>
      <div>
        ${because(view, current)} ${similar && toSimilar(view)} ${isWaiting && disputesOf(view, current, content)}
        ${isWaiting ? correctionForm(view, { ...content, current, next }) : checksTable(view, status)}
        ${isHeld && rejectForm(view, status.receiptID, next)} ${isWaiting && checksTable(view, status)}
        ${queueList(view, queue, status.receiptID)}
      </div>
      <section class="sticky" aria-label="${receipts.picture.title}" id="picture">
        ${
          status.receiptStatusDoc.uploadStateData.blobUrl === null
            ? html`<p class="hint">${receipts.picture.none}</p>`
            : pictureOf(view, reading, { isLinked: true, label: receipts.picture.boxes })
        }
      </section>
    </div>
    ${similar && similarReceipt(view, current, similar)}`;
}

/** Why the receipt waits, and whose it is. */
function because(view: View, { status, reading }: ReadReceipt): Html {
  const { review, receipts } = view.language.phrases;
  const kinds = [
    ...(status.held === true ? [review.kinds.held] : []),
    ...(status.disputes?.some(({ state }) => state === "open") ? [review.kinds.disputed] : []),
  ];
  const sentences = status.held === true ? heldSentences(view, status, reading.accuracy) : [];
  return html`<section class="why" aria-label="${review.because}">
    <p>
      ${kinds.map((kind) => badge(kind, "warning"))}
      <a href="${addressOf(view, "receipts", `/${status.receiptID}`)}">${receipts.one(status.receiptID.slice(-6))}</a> ·
      ${timeOf(view, status.receiptStatusDoc.uploadStateData.createdAt)} · ${userLink(view, status.userId)}
    </p>
    ${
      sentences.length > 0 &&
      html`<ul>
        ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
      </ul>`
    }
  </section>`;
}

/** The keys of the page, and the switch that turns them off (WCAG 2.1.4). Shown by the script, which they need. */
function keysOf(view: View): Html {
  const { keys } = view.language.phrases.review;
  return html`<details class="switch keys" hidden>
    <summary>${keys.title}</summary>
    <div>
      <label class="check"><input type="checkbox" data-keys checked /> ${keys.toggle}</label>
      <dl>
        ${keys.list.map(
          ([key, meaning]) =>
            html`<div>
              <dt><kbd>${key}</kbd></dt>
              <dd>${meaning}</dd>
            </div>`,
        )}
      </dl>
      <p class="hint">${keys.hint}</p>
    </div>
  </details>`;
}

function queueList(view: View, { waiting }: Queue, currentId: string): Html {
  const { review, receipts } = view.language.phrases;
  return html`<details class="queue">
    <summary>${review.queue}</summary>
    <ol>
      ${waiting.map((entry) => html`<li>${queueLink(view, entry, entry.receiptID === currentId)}</li>`)}
    </ol>
    <p class="hint">${waiting.length === 0 && receipts.empty.title}</p>
  </details>`;
}

function queueLink(view: View, entry: Entry, isCurrent: boolean): Content {
  const { review, receipts } = view.language.phrases;
  const { receiptID, merchantName, totalAmount, currency, held, acceptedAt } = entry;
  return html`<a href="${addressOf(view, "review", `/${receiptID}`)}" ${isCurrent && html`aria-current="true"`}
      ><bdi>${merchantName ?? receipts.table.unknownShop}</bdi> ${totalOf(view, totalAmount, currency)}</a
    >
    ${badge(held ? review.kinds.held : review.kinds.disputed, "warning")} ${timeOf(view, acceptedAt)}`;
}

/** The points before and after, in words. */
export function pointsLine(view: View, { now, corrected, waived }: Points, isHeld: boolean): Html {
  const { points: words } = view.language.phrases.review;
  const shown = (value: number) => number(view.language, value);
  if (!isHeld) {
    const difference = corrected ?? now ?? 0;
    return html`<strong>${words.difference(signed(view.language, difference))}</strong>
      ${waived > 0 && words.waived(shown(waived))}`;
  }
  if (now === null && corrected === null) return html`<span class="soft">${words.none}</span>`;
  return html`${now !== null && html`<span>${words.asRead(shown(now))}</span>`}
  ${corrected !== null && html`<strong>${words.asCorrected(shown(corrected))}</strong>`}`;
}
