import type { ProblemName } from "../../problem-types.ts";
import type { Problem } from "../../problems.ts";
import { IMAGE_FIELD, IMAGE_FIELDS } from "../../receipts/upload.ts";
import { addressIn, pageDocument } from "../../html/document.ts";
import type { Brand, Frame, PageDocument } from "../../html/document.ts";
import { html, raw } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import type { ImageError } from "../../html/phrases.ts";
import type { DetailName, Typed } from "./details.ts";
import { withLimits } from "./limits.ts";
import type { PhotoLimits } from "./limits.ts";

/** The scripts of the receipt's pages. */
export const RECEIPT_SCRIPTS = [
  "receipt.js",
  "photo.js",
  "flaws.js",
  "upload.js",
  "photo-store.js",
  "parts.js",
  "progress.js",
] as const;

const FORM_ERRORS: Partial<Record<ProblemName, ImageError>> = {
  payloadTooLarge: "too_large",
  malformedBody: "unreadable",
  unsupportedMediaType: "unreadable",
};

/** Returns the error that the page shows for a problem; null for a problem of another cause. */
export function imageErrorOf({ problem, errors }: Problem): ImageError | null {
  if (problem === "validation")
    return errors && IMAGE_FIELDS.some((name) => name in errors) ? "not_an_image" : "refused";
  return FORM_ERRORS[problem] ?? null;
}

/** The content of the page for a receipt's photo. Addresses contain the session, but no language. */
export interface ReceiptPage {
  readonly brand: Brand;
  /** The address of this page, and the target of the form. */
  readonly address: string;
  /** The script checks here if a photo arrived when its response was lost. */
  readonly progressAddress: string;
  readonly redirectUri: string | null;
  /** Without script: the field opens the camera, or a choice of pictures. */
  readonly isCamera: boolean;
  readonly missingDetails: readonly DetailName[];
  readonly typed: Typed;
  readonly imageError: ImageError | null;
  readonly detailErrors: readonly DetailName[];
  readonly limits: PhotoLimits;
}

/**
 * Creates the page for taking or choosing a photo and sending it: a plain form. The script makes it comfortable;
 * without the script, or before it has loaded, the form works too.
 */
export function receiptPage(frame: Frame, page: ReceiptPage): PageDocument {
  const { receipt } = frame.language.phrases;
  return pageDocument(frame, {
    title: receipt.title,
    brand: page.brand,
    styles: [frame.assets.receiptStyle],
    laterStyles: [frame.assets.progressStyle],
    scripts: RECEIPT_SCRIPTS,
    redirectUri: page.redirectUri,
    address: page.address,
    main: html`<h1 tabindex="-1">${receipt.title}</h1>
      <form
        method="post"
        action="${addressIn(frame, page.address)}"
        enctype="multipart/form-data"
        id="receipt-form"
        data-progress-url="${addressIn(frame, page.progressAddress)}"
        data-words="${scriptWords(frame)}"
        data-locale="${frame.language.locale}"
      >
        ${chooser(frame, page)}
        <div id="photo" hidden>
          <canvas id="preview" role="img" aria-label="${receipt.preview}"></canvas>
          <div class="tools">
            <button type="button" class="quiet" id="rotate">${receipt.rotate}</button>
            <button type="button" class="quiet" id="another">${receipt.another}</button>
          </div>
          <div role="status">
            <ul id="advice">
              ${Object.entries(receipt.advice).map(([flaw, text]) => html`<li data-flaw="${flaw}" hidden>${text}</li>`)}
            </ul>
          </div>
        </div>
        ${partFields(frame)} ${page.missingDetails.length > 0 && detailFields(frame, page)}
        <div class="send">
          <div id="sending" hidden>
            <p id="sending-words" role="status"></p>
            <progress id="sent-share" max="1" value="0" aria-label="${receipt.sending}"></progress>
          </div>
          <div id="lost" hidden>
            <p class="note" role="alert">${receipt.lost}</p>
            <button type="button" class="quiet" id="try-now">${receipt.tryNow}</button>
          </div>
          <button id="send">${receipt.send}</button>
        </div>
      </form>`,
  });
}

/** The texts that the script shows. */
function scriptWords(frame: Frame): string {
  const { preparing, sending, checking, errors } = frame.language.phrases.receipt;
  return JSON.stringify({ preparing, sending, checking, unreadable: errors.not_an_image });
}

/** A drawing of a receipt in a viewfinder. */
const VIEWFINDER = raw(
  '<svg class="viewfinder" viewBox="0 0 96 96" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">' +
    '<path d="M8 24V12q0-4 4-4h12M72 8h12q4 0 4 4v12M88 72v12q0 4-4 4H72M24 88H12q-4 0-4-4V72"/>' +
    '<path d="M30 22h36v52l-6-4-6 4-6-4-6 4-6-4-6 4ZM39 34h18M39 44h18M39 54h10" opacity=".75"/></svg>',
);

/** The file field, which its label replaces if there is script, and the link to the other source of pictures. */
function chooser(frame: Frame, page: ReceiptPage): Html {
  const { receipt } = frame.language.phrases;
  const { imageError, isCamera, limits } = page;
  const inNumbers = (phrase: string) => withLimits(phrase, limits, frame.language.locale);
  const otherWay = addressIn(frame, `${page.address}&source=${isCamera ? "picture" : "camera"}`);
  return html`<div id="chooser">
    <p class="lead">${receipt.hint}</p>
    <p class="error" role="alert" id="image-error" ${!imageError && html`hidden`}>
      ${inNumbers(receipt.errors[imageError ?? "not_an_image"])}
    </p>
    ${VIEWFINDER}
    <input
      type="file"
      id="receiptImage"
      name="${IMAGE_FIELD}"
      accept="image/jpeg,image/png"
      ${isCamera && html`capture="environment"`}
      required
      aria-describedby="${imageError ? "image-error formats" : "formats"}"
      ${imageError && html`aria-invalid="true"`}
    />
    <label for="receiptImage" class="button">${isCamera ? receipt.takePhoto : receipt.choosePicture}</label>
    <a class="button quiet" id="choose" href="${otherWay}">${isCamera ? receipt.choosePicture : receipt.takePhoto}</a>
    <p class="hint" id="formats">${inNumbers(receipt.formats)}</p>
  </div>`;
}

/** Fields for further photos of a long receipt. The script shows one after the other, with what was chosen. */
function partFields(frame: Frame): Html {
  const { parts } = frame.language.phrases.receipt;
  return html`<details id="parts">
    <summary>${parts.title}</summary>
    <p class="hint" id="parts-hint">${parts.hint}</p>
    ${IMAGE_FIELDS.slice(1).map(
      (name, i) =>
        html`<div class="part">
          <label for="${name}">${parts.photo(i + 2)}</label>
          <p class="error" role="alert" hidden></p>
          <input type="file" id="${name}" name="${name}" accept="image/jpeg,image/png" aria-describedby="parts-hint" />
          <canvas role="img" aria-label="${parts.photo(i + 2)}" hidden></canvas>
          <button type="button" class="quiet" hidden>${parts.remove}</button>
        </div>`,
    )}
  </details>`;
}

/** The details that the application did not send and the photo may not show; open if one has an error. */
function detailFields(frame: Frame, page: ReceiptPage): Html {
  const { details } = frame.language.phrases.receipt;
  const isOpen = page.detailErrors.length > 0 || Object.values(page.typed).some(Boolean);
  const field = (name: DetailName, attributes: Content) =>
    page.missingDetails.includes(name) && detailField(frame, page, name, attributes);
  return html`<details id="details" ${isOpen && html`open`}>
    <summary>${details.title}</summary>
    <p class="hint">${details.hint}</p>
    ${field("merchantName", html`maxlength="255" autocomplete="off"`)}
    ${field("amount", html`inputmode="decimal" autocomplete="off" maxlength="20" dir="ltr"`)}
  </details>`;
}

function detailField(frame: Frame, page: ReceiptPage, name: DetailName, attributes: Content): Html {
  const { details, errors } = frame.language.phrases.receipt;
  const isWrong = page.detailErrors.includes(name);
  return html`<div class="field">
    <label for="${name}">${details[name]}</label>
    ${isWrong && html`<p class="error" role="alert" id="${name}-error">${errors[name]}</p>`}
    <input
      id="${name}"
      name="${name}"
      value="${page.typed[name] ?? ""}"
      ${attributes}
      ${isWrong && html`aria-invalid="true" aria-describedby="${`${name}-error`}"`}
    />
  </div>`;
}
