// Sends a form until it has arrived once, over a line that may break at any moment.

/** Waits between tries grow up to this. */
const WAIT_MS_MAX = 15_000;
const WAIT_MS_FIRST = 1_000;
/** A line on which nothing moves for so long is given up. */
export const STALL_MS_MAX = 20_000;

/**
 * Posts `body` and gives the page that answers it. Before another try it is asked whether the one before had arrived
 * and only its answer was lost; the session itself lets through one of several.
 */
export async function sendUntilArrived({ url, progressUrl, body, onShare, onLost, tryNow }) {
  for (let waitMs = WAIT_MS_FIRST; ; waitMs = Math.min(2 * waitMs, WAIT_MS_MAX)) {
    onLost(false);
    const answer = await post(url, body, onShare);
    // A used session answers with the progress of what was sent, every other error with its page; those of ours pass.
    if (answer.page && answer.status < 500) return answer.page;
    const arrived = await fetchPage(progressUrl);
    if (arrived) return arrived;
    onShare(0);
    onLost(true);
    await pause(waitMs, tryNow);
  }
}

/** XMLHttpRequest, since fetch cannot tell how much has been sent. */
function post(url, body, onShare) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    let stalled;
    const moved = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => request.abort(), STALL_MS_MAX);
    };
    request.open("POST", url);
    request.responseType = "document";
    request.upload.addEventListener("progress", (event) => {
      moved();
      onShare(event.loaded / event.total);
    });
    request.upload.addEventListener("load", () => {
      moved();
      onShare(1);
    });
    request.addEventListener("loadend", () => {
      clearTimeout(stalled);
      resolve({ status: request.status, page: ours(request.response) });
    });
    moved();
    request.send(body);
  });
}

/** A page of ours; null when there is none or no connection. */
export async function fetchPage(url) {
  try {
    const answer = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(STALL_MS_MAX) });
    return answer.ok ? ours(new DOMParser().parseFromString(await answer.text(), "text/html")) : null;
  } catch {
    return null;
  }
}

/** A page with the main part that all of ours have; null for one of something between us and the service. */
function ours(page) {
  return page?.querySelector("#main") ? page : null;
}

/** Until the time is over, the phone is back online or in the hand, or the button is pressed. */
function pause(waitMs, button) {
  return new Promise((resolve) => {
    const done = new AbortController();
    const end = () => {
      done.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    const { signal } = done;
    window.addEventListener("online", end, { signal });
    document.addEventListener("visibilitychange", () => document.hidden || end(), { signal });
    button.addEventListener("click", end, { signal });
  });
}
