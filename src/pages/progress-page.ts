import { htmlDocument } from "./document.ts";
import type { Brand, Frame } from "./document.ts";
import type { Phrases } from "./english.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";
import { formatMoney, formatNumber } from "./language.ts";
import { STAGES } from "./progress.ts";
import type { FoundItem, Progress } from "./progress.ts";

/** How often a page without script looks again, and how long it shows an end before it leads back. */
const REFRESH_SECONDS = 3;
const LEAVE_AFTER_SECONDS = { Completed: 6, Failed: 12 };

/**
 * What became of a receipt, so far or in the end. `statusUrl` is asked by the script, `pageUrl` is this page;
 * `backUrl` leads back to the application with the outcome, null where the page can only be closed.
 */
export function progressPage(
  frame: Frame,
  page: { brand: Brand; progress: Progress; statusUrl: string; pageUrl: string; backUrl: string | null },
): Html {
  const { progress: phrases } = frame.language.phrases;
  const { progress, brand, backUrl } = page;
  const { state } = progress;
  const isFinished = state !== "running";
  const title = phrases.title[state];
  const leaveAfterSeconds = isFinished ? LEAVE_AFTER_SECONDS[state] : REFRESH_SECONDS;
  const nextUrl = isFinished ? backUrl : page.pageUrl;
  const refresh =
    nextUrl && html`<noscript><meta http-equiv="refresh" content="${leaveAfterSeconds};url=${nextUrl}" /></noscript>`;
  return htmlDocument(frame, {
    title,
    brand,
    head: html`<script type="module" src="${frame.assets.receiptScript}"></script>
      ${refresh}`,
    main: html`<div
      id="progress"
      data-state="${state}"
      data-status="${progress.status}"
      data-status-url="${page.statusUrl}"
      data-page-url="${page.pageUrl}"
      data-leave-after-seconds="${leaveAfterSeconds}"
    >
      <div role="status">
        <h1 tabindex="-1">${title}</h1>
        ${
          progress.points !== null &&
          html`<p class="points">${phrases.pointsEarned(formatNumber(frame.language, progress.points))}</p>`
        }
        ${state === "Failed" && html`<p class="lead">${failureText(phrases, progress.errorCode)}</p>`}
        ${!isFinished && html`<p class="lead">${phrases.wait}</p>`}
      </div>
      ${!isFinished && stageList(frame, progress)} ${findings(frame, progress)}
      <p class="way-back">
        ${backUrl && html`<a class="button" id="back" href="${backUrl}">${phrases.back(brand.name)}</a>`}
        ${isFinished && html`<span class="hint">${backUrl ? phrases.leaving(brand.name) : phrases.close}</span>`}
      </p>
    </div>`,
  });
}

function failureText(phrases: Phrases["progress"], errorCode: string | null): string {
  const failures: Record<string, string> = phrases.failures;
  return failures[errorCode ?? ""] ?? phrases.failures.INTERNAL_ERROR;
}

function stageList(frame: Frame, progress: Progress): Html {
  const { progress: phrases } = frame.language.phrases;
  const next = STAGES.find((stage) => !progress.finishedStages.includes(stage));
  return html`<ol class="stages">
    ${STAGES.map((stage) => {
      const isDone = progress.finishedStages.includes(stage);
      return html`<li class="${isDone ? "done" : "open"}" ${stage === next && html`aria-current="step"`}>
        ${phrases.stages[stage]}${isDone && html`<span class="unseen"> (${phrases.done})</span>`}
      </li>`;
    })}
  </ol>`;
}

function findings(frame: Frame, progress: Progress): Html {
  const { progress: phrases } = frame.language.phrases;
  const { merchant, total, items, withoutPoints } = progress;
  return html`${
    (merchant || total) &&
    html`<dl class="facts">
      ${merchant && fact(phrases.merchant, merchant)}
      ${total && fact(phrases.total, formatMoney(frame.language, total.amount, total.currency))}
    </dl>`
  }
  ${
    items.length > 0 &&
    html`<h2>${phrases.items}</h2>
      <ul class="items">
        ${items.map((item) => foundItem(frame, item))}
      </ul>`
  }
  ${
    withoutPoints.length > 0 &&
    html`<h2>${phrases.withoutPoints}</h2>
      <ul class="items quiet">
        ${withoutPoints.map((name) => html`<li><bdi>${name}</bdi></li>`)}
      </ul>`
  }`;
}

function fact(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd><bdi>${value}</bdi></dd>
  </div>`;
}

function foundItem(frame: Frame, item: FoundItem): Html {
  const { progress: phrases } = frame.language.phrases;
  const grade = (kind: string, letter: string | null) =>
    letter && html`<span class="grade grade-${letter}">${phrases.grade(kind, letter)}</span>`;
  return html`<li>
    <bdi>${item.name}</bdi>
    <span class="ratings">
      ${grade(phrases.health, item.health)} ${grade(phrases.climate, item.climate)}
      ${
        item.points !== null &&
        html`<span class="earned">${phrases.pointsEarned(formatNumber(frame.language, item.points))}</span>`
      }
    </span>
  </li>`;
}
