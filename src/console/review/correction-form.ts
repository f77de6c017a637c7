import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import { addressOf, postForm } from "../page.ts";
import type { View } from "../page.ts";
import { gradesOf } from "../receipts/parts.ts";
import type { ReadReceipt } from "../receipts/types.ts";
import { typedOf } from "./form.ts";
import type { FieldErrors, Typed } from "./form.ts";
import { pointsLine } from "./page.ts";
import type { ReviewContent } from "./page.ts";
import { seenOf } from "./seen.ts";

type Shown = ReviewContent & { readonly current: ReadReceipt; readonly next: string | null };

/** The form that corrects a receipt and accepts it. Nobody has to touch it to accept it as it is. */
export function correctionForm(view: View, content: Shown): Html {
  const { review } = view.language.phrases;
  const { current, next, points, errors, refusal } = content;
  const { status } = current;
  const isHeld = status.held === true;
  const action = addressOf(view, "review", `/${status.receiptID}/decide`);
  const hasErrors = refusal !== null || Object.keys(errors).length > 0;
  return postForm(
    view,
    action,
    html`${
        hasErrors &&
        html`<div class="error" role="alert" id="refusal">
          <strong>${review.errors.title}</strong>
          <ul class="plain-list">
            ${refusal !== null && html`<li>${refusal}</li>`}
            ${[...new Set(Object.entries(errors).map(([name, error]) => sentenceOf(view, name, error)))].map(
              (sentence) => html`<li>${sentence}</li>`,
            )}
          </ul>
        </div>`
      }
      <input type="hidden" name="seen" value="${seenOf(status)}" />
      <input type="hidden" name="next" value="${next ?? ""}" />
      ${headFields(view, content)} ${lineFields(view, content)}
      <p class="points" role="status" data-points>${pointsLine(view, points, isHeld)}</p>
      <label class="reason">
        ${review.reason}
        <input
          name="reason"
          value="${content.typed?.reason || review.reasonDefault}"
          required
          maxlength="255"
          autocomplete="off"
        />
      </label>
      <p class="actions">
        <button name="do" value="accept" data-accept>${isHeld ? review.acceptHeld : review.acceptDisputed}</button>
        <button name="do" value="preview" class="quiet">${review.points.show}</button>
      </p>`,
    review.title,
    "correction",
  );
}

function sentenceOf(view: View, name: string, error: FieldErrors[string]): string {
  const { review } = view.language.phrases;
  const at = Number(/-(\d+)$/.exec(name)?.[1] ?? 0) + 1;
  if (error === "date" || error === "time") return review.errors[error];
  if (error === "newLine") return review.errors.newLine(at);
  const { lines, head } = review;
  const labels: Readonly<Record<string, string>> = {
    quantity: lines.quantity(at),
    price: lines.price(at),
    newQuantity: lines.newQuantity(at),
    newPrice: lines.newPrice(at),
    totalAmount: head.totalAmount,
  };
  return review.errors.number(labels[name.split("-")[0]!] ?? name);
}

const isWrong = (errors: FieldErrors, name: string): Content =>
  name in errors && html`aria-invalid="true" aria-describedby="refusal"`;

function headFields(view: View, { current, typed, errors }: Shown): Html {
  const { head } = view.language.phrases.review;
  const values = typed ?? typedOf(current.reading);
  const field = (name: "merchantName" | "date" | "time" | "totalAmount", place: string, more: Content) =>
    html`<label data-place="${place}">
      ${head[name]} <input name="${name}" value="${values[name]}" autocomplete="off" ${more} ${isWrong(errors, name)} />
    </label>`;
  return html`<fieldset class="head">
    <legend>${head.title}</legend>
    ${field("merchantName", "merchantName", html`maxlength="255"`)} ${field("date", "date", html`type="date"`)}
    ${field("time", "time", html`type="time"`)} ${field("totalAmount", "total", html`inputmode="decimal"`)}
  </fieldset>`;
}

function lineFields(view: View, content: Shown): Html {
  const { lines: words } = view.language.phrases.review;
  const values = content.typed ?? typedOf(content.current.reading);
  const isAdding = values.added.some(({ name, price }) => name !== "" || price !== "");
  return html`<fieldset class="lines">
    <legend>${words.title}</legend>
    <ol class="plain-list">
      ${lineRows(view, content, values)}
    </ol>
    <details ${isAdding && html`open`}>
      <summary>${words.add}</summary>
      <p class="hint">${words.addHint}</p>
      <ol class="plain-list">
        ${addedRows(view, content, values)}
      </ol>
    </details>
    <datalist id="foods" data-address="${addressOf(view, "review", "/foods")}"></datalist>
  </fieldset>`;
}

/** A row of fields for each line. */
function lineRows(view: View, { current, errors }: Shown, values: Typed): Html[] {
  const { review, receipts } = view.language.phrases;
  const { reading } = current;
  const { lines: words } = review;
  return reading.lines.map((line, i) => {
    const value = values.lines[i]!;
    const at = i + 1;
    const input = (name: "quantity" | "price", label: string) =>
      html`<input
        name="${name}-${i}"
        value="${value[name]}"
        aria-label="${label}"
        inputmode="decimal"
        autocomplete="off"
        ${isWrong(errors, `${name}-${i}`)}
      />`;
    return html`<li class="line" id="line-${at}" data-place="${at}">
      <span class="line-place"
        >${line.places.length > 0 ? html`<a class="line-number" href="#box-${at}">${at}</a>` : at}</span
      >
      <span class="line-name">
        <input
          name="name-${i}"
          value="${value.name}"
          aria-label="${words.name(at)}"
          maxlength="255"
          autocomplete="off"
          list="foods"
          data-food="foodId-${i}"
        />
        <input type="hidden" name="foodId-${i}" value="${value.foodId}" />
        <small class="soft">${lineNote(view, line)}</small>
      </span>
      ${input("quantity", words.quantity(at))} ${input("price", words.price(at))}
      <select name="what-${i}" aria-label="${words.what(at)}">
        ${(["keep", "notFood", "remove"] as const).map(
          (what) =>
            html`<option value="${what}" ${value.what === what && html`selected`}>
              ${
                what === "keep" && line.exclusionReason !== null && value.what === "keep"
                  ? words.current(receipts.exclusions[line.exclusionReason])
                  : words.choices[what]
              }
            </option>`,
        )}
      </select>
    </li>`;
  });
}

/** Rows for lines that are missing. */
function addedRows(view: View, { errors }: Shown, values: Typed): Html[] {
  const { lines: words } = view.language.phrases.review;
  return values.added.map(
    (value, i) =>
      html`<li class="line">
        <span class="line-place">+</span>
        <span class="line-name">
          <input
            name="newName-${i}"
            value="${value.name}"
            aria-label="${words.newName(i + 1)}"
            maxlength="255"
            autocomplete="off"
            list="foods"
            data-food="newFoodId-${i}"
            ${isWrong(errors, `newName-${i}`)}
          />
          <input type="hidden" name="newFoodId-${i}" value="${value.foodId}" />
        </span>
        ${(["newQuantity", "newPrice"] as const).map(
          (name) =>
            html`<input
              name="${name}-${i}"
              value="${name === "newQuantity" ? value.quantity : value.price}"
              aria-label="${words[name](i + 1)}"
              inputmode="decimal"
              autocomplete="off"
              ${isWrong(errors, `${name}-${i}`)}
            />`,
        )}
      </li>`,
  );
}

/** What a line was matched to, or why it earns nothing. */
function lineNote(view: View, line: ReadReceipt["reading"]["lines"][number]): Content {
  const { exclusions } = view.language.phrases.receipts;
  const { exclusionReason, matchedIngredientName } = line;
  if (exclusionReason !== null) return exclusions[exclusionReason];
  return html`<bdi>${matchedIngredientName}</bdi> ${gradesOf(view, line)}`;
}
