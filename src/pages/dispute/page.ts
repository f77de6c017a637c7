import { addressIn, pageDocument } from "../../html/document.ts";
import type { Brand, Frame, PageDocument } from "../../html/document.ts";
import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import { formatCount, formatDate, formatMoney, formatNumber, nameWithin } from "../../html/language.ts";
import { LINE_KINDS } from "../../receipts/disputes/dispute.ts";
import type { Dispute } from "../../receipts/disputes/dispute.ts";
import type { ShownLine, ShownReceipt } from "../../receipts/disputing/shown.ts";
import type { FieldName, FormErrors, Subject, TypedDispute } from "./form.ts";

/** What both pages show. Addresses contain the session, but no language. */
export interface DisputePage {
  readonly brand: Brand;
  readonly shown: ShownReceipt;
  readonly disputes: readonly Dispute[];
  /** Nothing more can be disputed. */
  readonly isFull: boolean;
  /** Of the list. */
  readonly address: string;
  /** Of the receipt's result. */
  readonly progressAddress: string;
}

export interface FormPage extends DisputePage {
  readonly subject: Subject;
  readonly typed: TypedDispute;
  readonly errors: FormErrors;
}

type HeadKind = "wrong_merchant" | "wrong_date" | "wrong_total";

/** Creates the list of all that can be reported as wrong, with what was reported already. */
export function disputeListPage(frame: Frame, page: DisputePage): PageDocument {
  const { dispute: phrases } = frame.language.phrases;
  const app = nameWithin(frame.language, page.brand.name);
  const hasOpen = page.disputes.some(({ state }) => state === "open");
  return pageDocument(frame, {
    title: phrases.title,
    brand: page.brand,
    styles: [frame.assets.disputeStyle],
    address: page.address,
    main: html`<h1>${phrases.title}</h1>
      ${hasOpen && html`<p class="note" role="status">${phrases.thanks(app)}</p>`}
      <p class="lead">${page.isFull ? phrases.full(app) : phrases.hint(app)}</p>
      <ul class="rows">
        ${headRow(frame, page, "wrong_merchant")} ${headRow(frame, page, "wrong_date")}
        ${headRow(frame, page, "wrong_total")}
      </ul>
      <h2>${phrases.items}</h2>
      <ul class="rows">
        ${page.shown.lines.map((line) => lineRow(frame, page, line))}
        ${row(frame, page, { kind: "missing_line" }, false, html`<span>${phrases.missing}</span>`)}
      </ul>
      ${page.disputes.length > 0 && reports(frame, page)}
      <p><a class="button quiet" href="${addressIn(frame, page.progressAddress)}">${phrases.back}</a></p>`,
  });
}

/** Creates the form about one line, or about one part of the receipt. */
export function disputeFormPage(frame: Frame, page: FormPage): PageDocument {
  const { dispute: phrases } = frame.language.phrases;
  const { subject } = page;
  const line = "lineId" in subject ? (page.shown.lines.find(({ id }) => id === subject.lineId) ?? null) : null;
  const kind = "kind" in subject ? subject.kind : null;
  const title = phrases.ask[kind ?? "line"];
  return pageDocument(frame, {
    title,
    brand: page.brand,
    styles: [frame.assets.disputeStyle],
    address: addressOfForm(page.address, subject),
    main: html`<h1>${title}</h1>
      ${line && html`<p class="rows row">${lineContent(frame, page.shown, line)}</p>`}
      ${kind !== null && kind !== "missing_line" && html`<p class="rows row">${headContent(frame, page.shown, kind)}</p>`}
      <form method="post" action="${addressIn(frame, addressOfForm(page.address, subject))}">
        ${line && kinds(frame, page)}
        <div class="expected">
          ${field(frame, page, "expected", kind === "missing_line" ? phrases.missingName : phrases.expected, expectedInput(kind))}
        </div>
        ${kind === "missing_line" && field(frame, page, "price", phrases.price, AMOUNT_INPUT)}
        ${field(frame, page, "note", phrases.note, html`maxlength="255" autocomplete="off"`)}
        <p><button>${phrases.send}</button></p>
      </form>
      <p><a class="button quiet" href="${addressIn(frame, page.address)}">${phrases.cancel}</a></p>`,
  });
}

function addressOfForm(address: string, subject: Subject): string {
  const about = "lineId" in subject ? ["line", subject.lineId] : ["about", subject.kind];
  return `${address}&${new URLSearchParams([about])}`;
}

function headRow(frame: Frame, page: DisputePage, kind: HeadKind): Html {
  const isReported = page.disputes.some((dispute) => dispute.kind === kind && dispute.state === "open");
  return row(frame, page, { kind }, isReported, headContent(frame, page.shown, kind));
}

function headContent(frame: Frame, { merchantName, date, total, currency }: ShownReceipt, kind: HeadKind): Html {
  const { progress, dispute } = frame.language.phrases;
  const heads: Record<HeadKind, [string, string | null]> = {
    wrong_merchant: [progress.merchant, merchantName],
    wrong_date: [progress.date, date && formatDate(frame.language, date)],
    wrong_total: [progress.total, total === null ? null : formatMoney(frame.language, total, currency)],
  };
  const [label, value] = heads[kind];
  return html`<span class="hint">${label}</span> <bdi>${value ?? dispute.notRead}</bdi>`;
}

function lineRow(frame: Frame, page: DisputePage, line: ShownLine): Html {
  const isReported = page.disputes.some(({ lineId, state }) => lineId === line.id && state === "open");
  return row(frame, page, { lineId: line.id }, isReported, lineContent(frame, page.shown, line));
}

function lineContent(
  frame: Frame,
  { currency }: ShownReceipt,
  { name, quantity, totalPrice, points }: ShownLine,
): Html {
  const { language } = frame;
  const earned: Content =
    points !== null && html`<small>${formatCount(language, language.phrases.points, points)}</small>`;
  const times: Content = quantity !== 1 && `${formatNumber(language, quantity)} × `;
  return html`<span>${times}<bdi>${name}</bdi></span>
    <bdi class="price">${formatMoney(language, totalPrice, currency)}</bdi> ${earned}`;
}

/** A row that leads to its form, unless it is reported already or nothing more can be. */
function row(frame: Frame, page: DisputePage, subject: Subject, isReported: boolean, content: Html): Html {
  const { reported } = frame.language.phrases.dispute;
  if (isReported || page.isFull) {
    return html`<li class="row">${content}${isReported && html` <small class="reported">${reported}</small>`}</li>`;
  }
  return html`<li>
    <a class="row" href="${addressIn(frame, addressOfForm(page.address, subject))}">${content}</a>
  </li>`;
}

/** What was reported, the last first, and what became of it. */
function reports(frame: Frame, { disputes, shown }: DisputePage): Html {
  const { dispute: phrases } = frame.language.phrases;
  return html`<h2>${phrases.reports}</h2>
    <ul class="reports">
      ${disputes.toReversed().map((dispute) => {
        const { kind, lineId, state, reason, expected } = dispute;
        const line = lineId === null ? undefined : shown.lines.find(({ id }) => id === lineId);
        const name = line?.name ?? (kind === "missing_line" ? expected : lineId && dispute.shown);
        return html`<li>
          ${name && html`<b><bdi>${name}</bdi></b> `}${phrases.kinds[kind]} <small>${phrases.states[state]}</small>
          ${reason && html`<small><bdi>${reason}</bdi></small>`}
        </li>`;
      })}
    </ul>`;
}

function kinds(frame: Frame, { typed, errors }: FormPage): Html {
  const { kinds: words, errors: problems, ask } = frame.language.phrases.dispute;
  const wrong = errors.kind !== undefined;
  return html`<fieldset ${wrong && html`aria-describedby="kind-error"`}>
    <legend class="visually-hidden">${ask.line}</legend>
    ${wrong && html`<p class="error" role="alert" id="kind-error">${problems.kind}</p>`}
    ${LINE_KINDS.map(
      (kind) =>
        html`<label class="option">
          <input type="radio" name="kind" value="${kind}" required ${typed.kind === kind && html`checked`} />
          ${words[kind]}
        </label>`,
    )}
  </fieldset>`;
}

const AMOUNT_INPUT = html`inputmode="decimal" autocomplete="off" maxlength="20" dir="ltr"`;

function expectedInput(kind: "missing_line" | HeadKind | null): Html {
  if (kind === "wrong_total") return AMOUNT_INPUT;
  if (kind === "wrong_date") return html`type="date"`;
  return html`maxlength="255" autocomplete="off" dir="auto" ${kind === "missing_line" && html`required`}`;
}

function field(
  frame: Frame,
  page: FormPage,
  name: Exclude<FieldName, "kind">,
  label: string,
  attributes: Content,
): Html {
  const { receipt, dispute } = frame.language.phrases;
  const words = { ...dispute.errors, amount: receipt.errors.amount, text: receipt.errors.merchantName };
  const error = page.errors[name] ?? null;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${error && html`<p class="error" role="alert" id="${name}-error">${words[error]}</p>`}
    <input
      id="${name}"
      name="${name}"
      value="${page.typed[name]}"
      ${attributes}
      ${error && html`aria-invalid="true" aria-describedby="${`${name}-error`}" autofocus`}
    />
  </div>`;
}
