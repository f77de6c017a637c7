// Sends a form until it has arrived once, over a connection that may break at any moment.

/** The longest and the first wait between attempts. */
const WAIT_MS_MAX = 15_000;
const WAIT_MS_FIRST = 1_000;
/** A connection without progress for this time is aborted. */
export const STALL_MS_MAX = 20_000;

/**
 * Posts `body` and returns the page in the response. Before a retry it checks whether the last attempt has arrived and
 * only its response was lost; the session itself accepts one of several attempts.
 */
export async function sendUntilArrived({ url, progressUrl, body, onShare, onLost, tryNow }) {
  for (let waitMs = WAIT_MS_FIRST; ; waitMs = Math.min(2 * waitMs, WAIT_MS_MAX)) {
    onLost(false);
    const response = await post(url, body, onShare);
    // For a used session the page is the progress of its receipt, for an error its error page. Errors of the service
    // pass, and so does an earlier attempt that the service still waits for.
    if (response.page && response.status < 500 && response.status !== 429) return response.page;
    const arrived = await fetchPage(progressUrl);
    if (arrived) return arrived;
    onShare(0);
    onLost(true);
    await pause(waitMs, tryNow);
  }
}

/** XMLHttpRequest, since fetch does not report the progress of an upload. */
function post(url, body, onShare) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    let stallTimer;
    const restartTimer = () => {
      clearTimeout(stallTimer);
      stallTimer = setTimeout(() => request.abort(), STALL_MS_MAX);
    };
    request.open("POST", url);
    request.responseType = "document";
    request.upload.addEventListener("progress", (event) => {
      restartTimer();
      onShare(event.loaded / event.total);
    });
    request.upload.addEventListener("load", () => {
      restartTimer();
      onShare(1);
    });
    request.addEventListener("loadend", () => {
      clearTimeout(stallTimer);
      resolve({ status: request.status, page: ownPage(request.response) });
    });
    restartTimer();
    request.send(body);
  });
}

/** Fetches one of the service's pages; null for another response or without a connection. */
export async function fetchPage(url) {
  try {
    const response = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(STALL_MS_MAX) });
    return response.ok ? ownPage(new DOMParser().parseFromString(await response.text(), "text/html")) : null;
  } catch {
    return null;
  }
}

/** Returns a page with the main part that all pages of the service have; null for the page of a proxy between. */
function ownPage(page) {
  return page?.querySelector("#main") ? page : null;
}

/** Waits until the time is over, the phone is online again, the page is visible again, or the button is pressed. */
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
