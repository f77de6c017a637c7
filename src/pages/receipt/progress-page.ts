import { addressIn, pageDocument } from "../../html/document.ts";
import type { Brand, Frame, PageDocument } from "../../html/document.ts";
import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import { formatCount, formatDate, formatMoney, nameWithin } from "../../html/language.ts";
import type { Language } from "../../html/language.ts";
import type { Phrases } from "../../html/phrases.ts";
import { RECEIPT_SCRIPTS } from "./page.ts";
import { STAGES } from "./progress.ts";
import type { FoundItem, Progress } from "./progress.ts";

/** Seconds that a result is shown before the redirect to the application, unless the person stays. */
const LEAVE_AFTER_SECONDS = { held: 20, Completed: 10, Failed: 20 };

/** The content of the page of a receipt's progress. Addresses contain the session, but no language. */
export interface ProgressPage {
  readonly brand: Brand;
  readonly progress: Progress;
  readonly address: string;
  readonly statusAddress: string;
  readonly eventsAddress: string;
  readonly redirectUri: string | null;
  /** The application's address with the outcome; null if the page can only be closed. */
  readonly backUrl: string | null;
  /** The page for reporting what is wrong. */
  readonly disputesAddress: string;
}

/** Creates the page of a receipt's progress or result. */
export function progressPage(frame: Frame, page: ProgressPage): PageDocument {
  return pageDocument(frame, {
    title: frame.language.phrases.progress.title[page.progress.state],
    brand: page.brand,
    styles: [frame.assets.receiptStyle, frame.assets.progressStyle],
    scripts: RECEIPT_SCRIPTS,
    redirectUri: page.redirectUri,
    address: page.address,
    main: progressContent(frame, page),
  });
}

/** Creates the part of that page that changes while the receipt is processed. */
export function progressContent(frame: Frame, page: ProgressPage): Html {
  const { progress: phrases } = frame.language.phrases;
  const { progress } = page;
  const { state } = progress;
  return html`<div
    id="progress"
    data-state="${state}"
    data-announcement="${announcement(frame, progress)}"
    data-status="${progress.status}"
    data-page-url="${addressIn(frame, page.address)}"
    data-status-url="${addressIn(frame, page.statusAddress)}"
    data-events-url="${addressIn(frame, page.eventsAddress)}"
    ${state !== "running" && html`data-leave-after-seconds="${LEAVE_AFTER_SECONDS[state]}"`}
  >
    ${state === "running" && runningHead(frame, progress)} ${state === "held" && heldHead(frame, page)}
    ${state === "Completed" && completedHead(frame, progress)} ${state === "Failed" && failedHead(phrases, progress)}
    ${slip(frame, progress)} ${nextSteps(frame, page)}
  </div>`;
}

/** Returns the news for screen readers. */
function announcement({ language }: Frame, progress: Progress): string {
  const { state, errorCode, finishedStages, merchant } = progress;
  const { progress: phrases } = language.phrases;
  if (state === "held") return phrases.title.held;
  if (state === "Failed") return failureOf(phrases, errorCode).title;
  if (state === "Completed") return earned(language, progress) ?? phrases.noPoints;
  const stage = finishedStages.at(-1);
  return [stage && `${phrases.stages[stage]}: ${phrases.done}`, stage === "Extracted" && merchant]
    .filter(Boolean)
    .join(". ");
}

function runningHead(frame: Frame, progress: Progress): Html {
  const { progress: phrases } = frame.language.phrases;
  const next = STAGES.find((stage) => !progress.finishedStages.includes(stage));
  return html`<h1 tabindex="-1">${phrases.title.running}</h1>
    <p class="lead">${phrases.wait}</p>
    <ol class="stages">
      ${STAGES.map((stage) => {
        const isDone = progress.finishedStages.includes(stage);
        return html`<li class="${isDone ? "done" : "open"}" ${stage === next && html`aria-current="step"`}>
          ${phrases.stages[stage]}${isDone && html`<span class="visually-hidden"> (${phrases.done})</span>`}
        </li>`;
      })}
    </ol>`;
}

function heldHead(frame: Frame, { brand }: ProgressPage): Html {
  const { progress: phrases } = frame.language.phrases;
  return html`<h1 tabindex="-1">${phrases.title.held}</h1>
    <p class="lead">${phrases.held(nameWithin(frame.language, brand.name))}</p>`;
}

function completedHead({ language }: Frame, progress: Progress): Html {
  const { progress: phrases } = language.phrases;
  const points = earned(language, progress);
  return html`<h1 tabindex="-1">${phrases.title.Completed}</h1>
    ${points ? html`<p class="points">${points}</p>` : html`<p class="lead">${phrases.noPoints}</p>`}
    ${progress.isChanged && html`<p class="lead">${phrases.changed}</p>`}`;
}

/** The points of the receipt; null if it never earned any. */
function earned(language: Language, { points, isChanged }: Progress): string | null {
  return points || isChanged ? formatCount(language, language.phrases.points, points ?? 0) : null;
}

function failedHead(phrases: Phrases["progress"], { errorCode }: Progress): Html {
  const { title, text } = failureOf(phrases, errorCode);
  return html`<p class="kicker">${phrases.title.Failed}</p>
    <h1 tabindex="-1">${title}</h1>
    <p class="lead">${text}</p>`;
}

function failureOf(phrases: Phrases["progress"], errorCode: string | null): { title: string; text: string } {
  const failures: Record<string, { title: string; text: string }> = phrases.failures;
  return failures[errorCode ?? ""] ?? phrases.failures.INTERNAL_ERROR;
}

/** Shows the recognised data in the form of a receipt. */
function slip(frame: Frame, progress: Progress): Html | null {
  const { progress: phrases } = frame.language.phrases;
  const { merchant, total, date, items, withoutPoints } = progress;
  if (!merchant && !total && items.length === 0) return null;
  const day = date && formatDate(frame.language, date);
  return html`<section class="slip" aria-label="${phrases.items}">
    <header>
      ${merchant && html`<h2><span class="visually-hidden">${phrases.merchant}: </span><bdi>${merchant}</bdi></h2>`}
      ${day && html`<p class="hint"><span class="visually-hidden">${phrases.date}: </span>${day}</p>`}
    </header>
    ${
      items.length > 0 &&
      html`<ul class="items">
        ${items.map((item) => foundItem(frame, item))}
      </ul>`
    }
    ${
      total &&
      html`<p class="total">
        <span>${phrases.total}</span> <bdi>${formatMoney(frame.language, total.amount, total.currency)}</bdi>
      </p>`
    }
    ${items.some(({ health, climate }) => health ?? climate) && html`<p class="hint">${phrases.gradesMean}</p>`}
    ${
      withoutPoints.length > 0 &&
      html`<h3>${phrases.withoutPoints}</h3>
        <ul class="items quiet">
          ${withoutPoints.map((name) => html`<li><bdi>${name}</bdi></li>`)}
        </ul>`
    }
  </section>`;
}

function foundItem(frame: Frame, item: FoundItem): Html {
  const { progress: phrases, points } = frame.language.phrases;
  const grade = (kind: string, letter: string | null) =>
    letter && html`<span class="grade">${kind} <b class="grade-${letter}">${letter}</b></span>`;
  const earned: Content =
    item.points !== null && html`<span class="earned">${formatCount(frame.language, points, item.points)}</span>`;
  return html`<li>
    <bdi>${item.name}</bdi>
    ${earned}
    ${
      (item.health ?? item.climate) &&
      html`<span class="grades">${grade(phrases.health, item.health)} ${grade(phrases.climate, item.climate)}</span>`
    }
  </li>`;
}

function nextSteps(frame: Frame, { brand, progress, address, backUrl, disputesAddress }: ProgressPage): Html {
  const { progress: phrases, dispute } = frame.language.phrases;
  const app = nameWithin(frame.language, brand.name);
  const isRunning = progress.state === "running";
  const waitAddress = addressIn(frame, `${address}&wait=true`);
  return html`<div class="next-steps">
    ${isRunning && html`<noscript><a class="button" href="${waitAddress}">${phrases.lookAgain}</a></noscript>`}
    ${backUrl && html`<a class="button ${isRunning && "quiet"}" id="back" href="${backUrl}">${phrases.back(app)}</a>`}
    ${
      !isRunning &&
      (backUrl
        ? html`<p class="hint" id="leaving" hidden>
            ${phrases.leaving(app)} <button type="button" class="plain" id="stay">${phrases.stay}</button>
          </p>`
        : html`<p class="lead" id="closing">${phrases.close}</p>`)
    }
    ${
      progress.isDisputable &&
      html`<a class="button quiet" href="${addressIn(frame, disputesAddress)}">${dispute.open}</a>`
    }
  </div>`;
}
