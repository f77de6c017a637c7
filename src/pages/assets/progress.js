// Follows a receipt to its end: by polling first, by server-sent events as soon as one has arrived.
import { STALL_MS_MAX, fetchPage } from "./upload.js";

const POLL_MS = 1_000;
const RETRY_MS = 3_000;
/** Two intervals of the server's keep-alive messages. */
const SILENCE_MS_MAX = 35_000;

let live;
let stop = () => {};

/** Creates the live region for screen readers; it must exist before its first text. */
export function startLive() {
  live = document.createElement("p");
  live.className = "visually-hidden";
  live.setAttribute("role", "status");
  document.body.append(live);
}

/** Follows the receipt on the page; once it is finished, starts the redirect. */
export function follow() {
  stop();
  const current = () => document.querySelector("#progress");
  const { state, pageUrl, statusUrl, eventsUrl } = current().dataset;
  if (state !== "running") return leavePage(current());

  let timer;
  let lastEventAt = -Infinity;
  const events = new EventSource(eventsUrl);
  stop = () => {
    clearTimeout(timer);
    events.close();
    stop = () => {};
  };
  events.addEventListener("message", ({ data }) => {
    lastEventAt = performance.now();
    const { status, content } = JSON.parse(data);
    if (status !== current().dataset.status) showProgress(new DOMParser().parseFromString(content, "text/html"));
  });
  events.addEventListener("error", () => {
    lastEventAt = -Infinity;
  });

  const poll = async () => {
    let nextMs = POLL_MS;
    if (performance.now() - lastEventAt > SILENCE_MS_MAX) {
      const status = await fetchStatus(statusUrl);
      if (status === null) nextMs = RETRY_MS;
      else if (status !== current()?.dataset.status) {
        const page = await fetchPage(pageUrl);
        if (page && current()) showProgress(page);
      }
    }
    if (current()?.dataset.state === "running") timer = setTimeout(poll, nextMs);
  };
  timer = setTimeout(poll, POLL_MS);
}

/** Shows the new state of the receipt, and announces it. */
function showProgress(page) {
  const progress = page.querySelector("#progress");
  if (!progress) return;
  for (const noscript of progress.querySelectorAll("noscript")) noscript.remove();
  document.querySelector("#progress").replaceWith(progress);
  live.textContent = progress.dataset.announcement;
  if (progress.dataset.state === "running") return;
  stop();
  const title = progress.querySelector("h1");
  document.title = title.textContent;
  title.focus({ preventScroll: true });
  scrollTo({ top: 0 });
  leavePage(progress);
}

async function fetchStatus(url) {
  try {
    const headers = { accept: "application/json" };
    const response = await fetch(url, { cache: "no-store", headers, signal: AbortSignal.timeout(STALL_MS_MAX) });
    return response.ok ? (await response.json()).status : null;
  } catch {
    return null;
  }
}

/** Redirects to the application after some seconds, unless the person uses the page; without an address closes it. */
function leavePage(progress) {
  const back = progress.querySelector("#back");
  // If the browser refuses to close a page that it didn't open, the page says that it can be closed.
  if (!back) return void setTimeout(() => window.close(), Number(progress.dataset.leaveAfterSeconds) * 1000);
  const leaving = progress.querySelector("#leaving");
  leaving.hidden = false;
  const timer = setTimeout(() => location.assign(back.href), Number(progress.dataset.leaveAfterSeconds) * 1000);
  const stay = () => {
    clearTimeout(timer);
    leaving.hidden = true;
    for (const event of ACTIVITY_EVENTS) removeEventListener(event, stay);
  };
  progress.querySelector("#stay").addEventListener("click", stay);
  for (const event of ACTIVITY_EVENTS) addEventListener(event, stay, { passive: true });
}

/** Events that show that the person is reading. */
const ACTIVITY_EVENTS = ["wheel", "touchmove", "keydown"];
