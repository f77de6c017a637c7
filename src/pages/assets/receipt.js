// Makes the receipt page comfortable: preview, a bar while sending, live progress. Everything that is shown comes as a
// page from the server, the same that a browser without script gets; only its main part is put in place here.

const POLL_MS = 1000;
const RETRY_MS = 3000;

enhance();

function enhance() {
  const form = document.querySelector("#receipt-form");
  const progress = document.querySelector("#progress");
  if (form) enhanceForm(form);
  if (progress) follow(progress);
}

function enhanceForm(form) {
  const input = form.querySelector("#receiptImage");
  const chooseFile = form.querySelector("#choose-file");
  const preview = form.querySelector("#preview");

  // Where `capture` is known the field opens the camera at once; this is the way to a picture taken before.
  chooseFile.hidden = !("capture" in HTMLInputElement.prototype);
  chooseFile.addEventListener("click", () => {
    input.removeAttribute("capture");
    input.click();
  });
  input.addEventListener("change", () => {
    const [file] = input.files;
    if (preview.src) URL.revokeObjectURL(preview.src);
    preview.hidden = !file;
    if (file) preview.src = URL.createObjectURL(file);
    else preview.removeAttribute("src");
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}

async function send(form) {
  setSending(form, true);
  const answer = await post(form.action, new FormData(form), (share) => {
    form.querySelector("#sent-share").value = share;
  });
  if (answer.page && answer.status < 400) return show(answer.page);
  // No answer, or the session is used: the photo may have arrived all the same.
  if (!answer.page || answer.status === 404) {
    const page = await fetchPage(form.dataset.progressUrl);
    if (page) return show(page);
  }
  if (answer.page && answer.status < 500) return show(answer.page);
  setSending(form, false);
  form.querySelector("#lost").hidden = false;
}

function setSending(form, isSending) {
  form.querySelector("#sending").hidden = !isSending;
  form.querySelector("#lost").hidden = true;
  form.querySelector("#send").disabled = isSending;
}

/** XMLHttpRequest, since fetch cannot tell how much has been sent. */
function post(url, body, onShare) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.responseType = "document";
    request.upload.addEventListener("progress", (event) => onShare(event.loaded / event.total));
    request.addEventListener("loadend", () => resolve({ status: request.status, page: request.response }));
    request.send(body);
  });
}

/** A page of ours; null when there is none or no connection. */
async function fetchPage(url) {
  try {
    const answer = await fetch(url, { cache: "no-store" });
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null;
  }
}

function show(page) {
  document.title = page.title;
  document.querySelector("#main").replaceChildren(...page.querySelector("#main").childNodes);
  // So that a reload shows the progress and doesn't send the photo again.
  const progress = document.querySelector("#progress");
  if (progress) history.replaceState(null, "", progress.dataset.pageUrl);
  document.querySelector("[aria-invalid], h1")?.focus();
  enhance();
}

/** Asks for the receipt's status until it changes, then shows the page of that status; leaves after the end. */
function follow(progress) {
  const { status, state, statusUrl, pageUrl, leaveAfterSeconds } = progress.dataset;
  if (state !== "running") {
    setTimeout(leave, Number(leaveAfterSeconds) * 1000);
    return;
  }
  const look = async () => {
    const current = await fetchStatus(statusUrl);
    const page = current && current !== status ? await fetchPage(pageUrl) : null;
    if (page) show(page);
    else setTimeout(look, current ? POLL_MS : RETRY_MS);
  };
  setTimeout(look, POLL_MS);
}

async function fetchStatus(url) {
  try {
    const answer = await fetch(url, { cache: "no-store", headers: { accept: "application/json" } });
    return answer.ok ? (await answer.json()).status : null;
  } catch {
    return null;
  }
}

/** Back to the application, or out of the way; where a browser refuses to close, the page says what to do. */
function leave() {
  const back = document.querySelector("#back");
  if (back) location.assign(back.href);
  else window.close();
}
