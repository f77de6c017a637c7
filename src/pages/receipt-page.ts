import type { Problem, ProblemName } from "../problems.ts";
import { IMAGE_FIELD } from "../receipts/upload.ts";
import { htmlDocument } from "./document.ts";
import type { Brand, Frame } from "./document.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";
import type { Phrases } from "./english.ts";

/** Why a receipt was not taken, as the page says it. */
export type ReceiptFault = keyof Phrases["receipt"]["faults"];

const FORM_FAULTS: Partial<Record<ProblemName, ReceiptFault>> = {
  payloadTooLarge: "too_large",
  malformedBody: "unreadable",
  unsupportedMediaType: "unreadable",
};

/** How the page says what is wrong with a form or its receipt; null for what is no fault of theirs. */
export function receiptFaultOf({ problem, faults }: Problem): ReceiptFault | null {
  if (problem === "validation") return faults && IMAGE_FIELD in faults ? "not_an_image" : "refused";
  return FORM_FAULTS[problem] ?? null;
}

/**
 * The page on which a photo is taken or chosen and sent: a plain form, which the script makes more comfortable.
 * At `progressUrl` the script looks whether a photo arrived whose answer was lost.
 */
export function receiptPage(
  frame: Frame,
  page: { brand: Brand; action: string; progressUrl: string; fault: ReceiptFault | null },
): Html {
  const { receipt } = frame.language.phrases;
  const describedBy = page.fault ? "receiptImage-fault receiptImage-formats" : "receiptImage-formats";
  return htmlDocument(frame, {
    title: receipt.title,
    brand: page.brand,
    head: html`<script type="module" src="${frame.assets.receiptScript}"></script>`,
    main: html`<h1>${receipt.title}</h1>
      <p class="lead">${receipt.hint}</p>
      <form
        method="post"
        action="${page.action}"
        enctype="multipart/form-data"
        id="receipt-form"
        data-progress-url="${page.progressUrl}"
      >
        <div class="field">
          <label for="receiptImage">${receipt.photo}</label>
          <input
            type="file"
            id="receiptImage"
            name="${IMAGE_FIELD}"
            accept="image/jpeg,image/png"
            capture="environment"
            required
            aria-describedby="${describedBy}"
            ${page.fault && html`aria-invalid="true"`}
          />
          ${page.fault && html`<p class="fault" role="alert" id="receiptImage-fault">${receipt.faults[page.fault]}</p>`}
          <p class="hint" id="receiptImage-formats">${receipt.formats}</p>
          <button type="button" class="quiet" id="choose-file" hidden>${receipt.chooseFile}</button>
        </div>
        <img id="preview" class="preview" alt="${receipt.preview}" hidden />
        <p class="fault" role="alert" id="lost" hidden>${receipt.lost}</p>
        <div id="sending" class="sending" role="status" hidden>
          <span>${receipt.sending}</span>
          <progress id="sent-share" max="1" value="0" aria-label="${receipt.sending}"></progress>
        </div>
        <button id="send">${receipt.send}</button>
      </form>`,
  });
}
