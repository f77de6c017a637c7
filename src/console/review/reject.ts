import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import { colon } from "../format.ts";
import { addressOf, postForm } from "../page.ts";
import type { View } from "../page.ts";
import type { ReadReceipt } from "../receipts/types.ts";
import type { ReviewContent } from "./page.ts";

/** The reasons that are one press away. */
export const REASONS = ["unreadable", "no_receipt", "other_purchase", "duplicate", "altered"] as const;

/** The form that rejects a held receipt: each reason is a button, and another one can be typed. */
export function rejectForm(view: View, receiptId: string, next: string | null): Html {
  const { reject } = view.language.phrases.review;
  return postForm(
    view,
    addressOf(view, "review", `/${receiptId}/reject`),
    html`<fieldset class="reject" data-reject>
      <legend>${reject.title}</legend>
      <input type="hidden" name="next" value="${next ?? ""}" />
      <p class="hint">${reject.hint}</p>
      <div class="actions">
        ${REASONS.map(
          (reason, i) =>
            html`<button class="danger" name="why" value="${reason}">${i + 1}. ${reject.reasons[reason]}</button>`,
        )}
      </div>
      <label>
        ${REASONS.length + 1}. ${reject.other}
        <input name="reason" maxlength="255" autocomplete="off" />
      </label>
      <button class="danger" name="why" value="other">${reject.submit}</button>
    </fieldset>`,
    reject.title,
  );
}

/** What the user has reported and nobody has decided, each with a form that rejects it. */
export function disputesOf(view: View, { status }: ReadReceipt, { typed }: Pick<ReviewContent, "typed">): Html | null {
  const { review, receipts } = view.language.phrases;
  const open = (status.disputes ?? []).filter(({ state }) => state === "open");
  if (open.length === 0) return null;
  const arrow = view.language.phrases.direction === "rtl" ? "←" : "→";
  const settled = new Set(typed?.disputeIds);
  return html`<section aria-label="${review.disputes.title}">
    <h2 class="first">${review.disputes.title}</h2>
    ${open.map(({ disputeId, kind, shown, expected, note, correction }) => {
      const address = addressOf(view, "review", `/${status.receiptID}`, { use: disputeId });
      return html`<div class="card dispute">
        <p>
          <strong>${receipts.disputes.kinds[kind] ?? kind}</strong>
          ${shown !== null && html`${receipts.disputes.shown}${colon(view.language)} <bdi>${shown}</bdi>`}
          ${expected !== null && html`${arrow} ${receipts.disputes.expected}${colon(view.language)} <bdi>${expected}</bdi>`}
        </p>
        ${
          note !== null &&
          html`<p>
            <q><bdi>${note}</bdi></q>
          </p>`
        }
        <p class="actions">
          ${correction !== null && html`<a class="button quiet" href="${address}">${review.disputes.use}</a>`}
          <label class="check"
            ><input
              type="checkbox"
              name="disputeId"
              value="${disputeId}"
              form="correction"
              ${settled.has(disputeId) && html`checked`}
            />
            ${review.disputes.accept}</label
          >
        </p>
        ${postForm(
          view,
          addressOf(view, "review", `/${status.receiptID}/disputes/${disputeId}/reject`),
          html`<label>
              ${review.disputes.sentence} <input name="reason" required maxlength="255" autocomplete="off" />
            </label>
            <button class="danger">${review.disputes.reject}</button>`,
          `${review.disputes.reject}: ${receipts.disputes.kinds[kind] ?? kind} ${shown ?? ""}`,
        )}
      </div>`;
    })}
  </section>`;
}
