import { addressIn, pageDocument } from "../../html/document.ts";
import type { Brand, Frame, PageDocument } from "../../html/document.ts";
import { html } from "../../html/html.ts";
import type { Content, Html } from "../../html/html.ts";
import { formatCount, formatDate, formatMoney, nameWithin } from "../../html/language.ts";
import type { Phrases } from "../../html/phrases.ts";
import { RECEIPT_SCRIPTS } from "./page.ts";
import { STAGES } from "./progress.ts";
import type { FoundItem, Progress } from "./progress.ts";

/** How long an end is shown before it leads back by itself, unless the person stays. */
const LEAVE_AFTER_SECONDS = { Completed: 10, Failed: 20 };

/** What the page of a receipt's progress is made of. Addresses carry the session, and no language yet. */
export interface ProgressPage {
  readonly brand: Brand;
  readonly progress: Progress;
  readonly address: string;
  readonly statusAddress: string;
  readonly eventsAddress: string;
  readonly redirectUri: string | null;
  /** Leads back to the application with the outcome; null where the page can only be closed. */
  readonly backUrl: string | null;
}

/** What became of a receipt, so far or in the end. */
export function progressPage(frame: Frame, page: ProgressPage): PageDocument {
  return pageDocument(frame, {
    title: frame.language.phrases.progress.title[page.progress.state],
    brand: page.brand,
    styles: [frame.assets.receiptStyle],
    scripts: RECEIPT_SCRIPTS,
    redirectUri: page.redirectUri,
    address: page.address,
    main: progressContent(frame, page),
  });
}

/** What changes on that page while the receipt is worked on. */
export function progressContent(frame: Frame, page: ProgressPage): Html {
  const { progress: phrases } = frame.language.phrases;
  const { progress } = page;
  const { state } = progress;
  return html`<div
    id="progress"
    data-state="${state}"
    data-said="${spoken(frame, progress)}"
    data-status="${progress.status}"
    data-page-url="${addressIn(frame, page.address)}"
    data-status-url="${addressIn(frame, page.statusAddress)}"
    data-events-url="${addressIn(frame, page.eventsAddress)}"
    ${state !== "running" && html`data-leave-after-seconds="${LEAVE_AFTER_SECONDS[state]}"`}
  >
    ${state === "running" && runningHead(frame, progress)} ${state === "Completed" && completedHead(frame, progress)}
    ${state === "Failed" && failedHead(phrases, progress)} ${slip(frame, progress)} ${wayOn(frame, page)}
  </div>`;
}

/** What is new, for who hears the page. */
function spoken({ language }: Frame, { state, points, errorCode, finishedStages, merchant }: Progress): string {
  const { progress: phrases, points: counted } = language.phrases;
  if (state === "Failed") return failureOf(phrases, errorCode).title;
  if (state === "Completed") return points ? formatCount(language, counted, points) : phrases.noPoints;
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
          ${phrases.stages[stage]}${isDone && html`<span class="unseen"> (${phrases.done})</span>`}
        </li>`;
      })}
    </ol>`;
}

function completedHead(frame: Frame, progress: Progress): Html {
  const { progress: phrases, points } = frame.language.phrases;
  return html`<h1 tabindex="-1">${phrases.title.Completed}</h1>
    ${
      progress.points
        ? html`<p class="points">${formatCount(frame.language, points, progress.points)}</p>`
        : html`<p class="lead">${phrases.noPoints}</p>`
    }`;
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

/** What was found, set like the receipt itself. */
function slip(frame: Frame, progress: Progress): Html | null {
  const { progress: phrases } = frame.language.phrases;
  const { merchant, total, date, items, withoutPoints } = progress;
  if (!merchant && !total && items.length === 0) return null;
  const day = date && formatDate(frame.language, date);
  return html`<section class="slip" aria-label="${phrases.items}">
    <header>
      ${merchant && html`<h2><span class="unseen">${phrases.merchant}: </span><bdi>${merchant}</bdi></h2>`}
      ${day && html`<p class="hint"><span class="unseen">${phrases.date}: </span>${day}</p>`}
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

function wayOn(frame: Frame, { brand, progress, address, backUrl }: ProgressPage): Html {
  const { progress: phrases } = frame.language.phrases;
  const app = nameWithin(frame.language, brand.name);
  const isRunning = progress.state === "running";
  const waitAddress = addressIn(frame, `${address}&wait=true`);
  return html`<div class="way-on">
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
  </div>`;
}
