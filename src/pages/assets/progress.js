// Follows a receipt to its end: asks first, and listens to server-sent events as soon as they are seen to come through.
import { STALL_MS_MAX, fetchPage } from "./upload.js";

const POLL_MS = 1_000;
const RETRY_MS = 3_000;
/** Two of the server's signs of life. */
const SILENCE_MS_MAX = 35_000;

let live;
let stop = () => {};

/** Makes the place where news is said to who hears the page; it must stand there before there is any. */
export function startLive() {
  live = document.createElement("p");
  live.className = "unseen";
  live.setAttribute("role", "status");
  document.body.append(live);
}

/** Follows the receipt on the page, or leads on from its end. */
export function follow() {
  stop();
  const current = () => document.querySelector("#progress");
  const { state, pageUrl, statusUrl, eventsUrl } = current().dataset;
  if (state !== "running") return leadOn(current());

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
    if (status !== current().dataset.status) put(new DOMParser().parseFromString(content, "text/html"));
  });
  events.addEventListener("error", () => {
    lastEventAt = -Infinity;
  });

  const look = async () => {
    let nextMs = POLL_MS;
    if (performance.now() - lastEventAt > SILENCE_MS_MAX) {
      const status = await fetchStatus(statusUrl);
      if (status === null) nextMs = RETRY_MS;
      else if (status !== current()?.dataset.status) {
        const page = await fetchPage(pageUrl);
        if (page && current()) put(page);
      }
    }
    if (current()?.dataset.state === "running") timer = setTimeout(look, nextMs);
  };
  timer = setTimeout(look, POLL_MS);
}

/** Shows what is new of the receipt, and says it. */
function put(page) {
  const progress = page.querySelector("#progress");
  if (!progress) return;
  for (const noscript of progress.querySelectorAll("noscript")) noscript.remove();
  document.querySelector("#progress").replaceWith(progress);
  live.textContent = progress.dataset.said;
  if (progress.dataset.state === "running") return;
  stop();
  const title = progress.querySelector("h1");
  document.title = title.textContent;
  title.focus({ preventScroll: true });
  scrollTo({ top: 0 });
  leadOn(progress);
}

async function fetchStatus(url) {
  try {
    const headers = { accept: "application/json" };
    const answer = await fetch(url, { cache: "no-store", headers, signal: AbortSignal.timeout(STALL_MS_MAX) });
    return answer.ok ? (await answer.json()).status : null;
  } catch {
    return null;
  }
}

/** Back to the application after a while, unless the person does anything here; or out of the way. */
function leadOn(progress) {
  const back = progress.querySelector("#back");
  // Where a browser refuses to close what it didn't open, the page says so.
  if (!back) return void setTimeout(() => window.close(), Number(progress.dataset.leaveAfterSeconds) * 1000);
  const leaving = progress.querySelector("#leaving");
  leaving.hidden = false;
  const timer = setTimeout(() => location.assign(back.href), Number(progress.dataset.leaveAfterSeconds) * 1000);
  const stay = () => {
    clearTimeout(timer);
    leaving.hidden = true;
    for (const sign of SIGNS) removeEventListener(sign, stay);
  };
  progress.querySelector("#stay").addEventListener("click", stay);
  for (const sign of SIGNS) addEventListener(sign, stay, { passive: true });
}

/** Of somebody who is reading. */
const SIGNS = ["wheel", "touchmove", "keydown"];
