// Makes the receipt's page comfortable: camera, preview, advice, a bar while sending, live progress. What is shown in the
// end comes from the server, the same that a browser without script gets; only the main part is put in place here.
import { flawsOf } from "./flaws.js";
import { forget, keep, kept, note } from "./kept.js";
import { openPhoto, pixelsOf, show as showPhoto, toSend } from "./photo.js";
import { follow, startLive } from "./progress.js";
import { sendUntilArrived } from "./upload.js";

startLive();
enhance();

function enhance() {
  for (const noscript of document.querySelectorAll("noscript")) noscript.remove();
  const form = document.querySelector("#receipt-form");
  if (form) void enhanceForm(form);
  if (document.querySelector("#progress")) {
    void forget();
    follow();
  }
}

async function enhanceForm(form) {
  const part = (id) => form.querySelector(`#${id}`);
  const input = part("receiptImage");
  const words = JSON.parse(form.dataset.words);
  /** What is shown: the file as it was chosen, what the browser made of it, and by how many quarters it was turned. */
  let photo = null;

  part("choose").addEventListener("click", (event) => {
    event.preventDefault();
    const camera = input.getAttribute("capture");
    input.removeAttribute("capture");
    input.click();
    if (camera !== null) input.setAttribute("capture", camera);
  });
  input.addEventListener("change", () => {
    if (input.files[0]) void takeNew(input.files[0]);
  });
  part("another").addEventListener("click", () => {
    reset();
    void forget();
    part("choose").focus();
  });
  part("rotate").addEventListener("click", () => {
    photo.turns = (photo.turns + 1) % 4;
    showPhoto(photo, part("preview"));
    noteAll();
  });
  form.addEventListener("input", (event) => {
    if (photo && event.target !== input) noteAll();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (photo || input.files[0]) void send();
  });
  // Chosen before: the page was loaded again, or the camera's app had it thrown out of memory.
  const before = await kept();
  if (input.files[0]) await takeNew(input.files[0]);
  else if (before) {
    for (const [name, value] of Object.entries(before.typed))
      if (part(name) && !part(name).value) part(name).value = value;
    await take(before.file, before.turns);
  }

  function noteAll() {
    const typed = {};
    for (const field of form.querySelectorAll(".field input")) typed[field.id] = field.value;
    void note({ turns: photo.turns, typed });
  }

  function reset() {
    photo = null;
    input.value = "";
    input.required = true;
    form.classList.remove("has-photo", "has-file", "is-sending");
    part("photo").hidden = true;
  }

  async function takeNew(file) {
    if (!(await take(file, 0))) return;
    void keep(file);
    noteAll();
  }

  /** Shows a photo, with advice; false when the browser can make nothing of it. */
  async function take(file, turns) {
    form.setAttribute("aria-busy", "true");
    const opened = await openPhoto(file);
    form.removeAttribute("aria-busy");
    if (!opened) {
      // Told, and no wall: the service has the last word on what it can read.
      form.classList.add("has-file");
      const error = part("image-error");
      error.textContent = words.unreadable;
      error.hidden = false;
      input.setAttribute("aria-invalid", "true");
      input.setAttribute("aria-describedby", "image-error formats");
      return false;
    }
    photo = { file, turns, ...opened };
    part("image-error").hidden = true;
    input.removeAttribute("aria-invalid");
    // What is sent is the photo that is shown, which the field may never have held.
    input.required = false;
    part("photo").hidden = false;
    form.classList.remove("has-file");
    form.classList.add("has-photo");
    showPhoto(photo, part("preview"));
    const wrong = form.querySelector(".field [aria-invalid]");
    if (wrong) wrong.focus();
    else part("send").focus({ preventScroll: true });
    const flaws = flawsOf(pixelsOf(photo), photo);
    for (const line of part("advice").children) line.hidden = !flaws.includes(line.dataset.flaw);
    return true;
  }

  async function send() {
    const say = (text) => {
      if (part("sending-words").textContent !== text) part("sending-words").textContent = text;
    };
    const percent = new Intl.NumberFormat(form.dataset.locale, { style: "percent" });
    form.classList.add("is-sending");
    part("sending").hidden = false;
    say(words.preparing);
    const body = new FormData(form);
    body.set(input.name, photo ? await toSend(photo) : input.files[0], "receipt.jpg");
    const page = await sendUntilArrived({
      url: form.action,
      progressUrl: form.dataset.progressUrl,
      body,
      onShare: (share) => {
        part("sent-share").value = share;
        part("sending-words").dataset.share = share < 1 ? percent.format(share) : "";
        say(share < 1 ? words.sending : words.checking);
      },
      onLost: (isLost) => {
        part("lost").hidden = !isLost;
        part("sending").hidden = isLost;
      },
      tryNow: part("try-now"),
    });
    showPage(page);
  }
}

/** Puts the main part of another page of ours in place. */
function showPage(page) {
  document.title = page.title;
  document.querySelector("#main").replaceChildren(...page.querySelector("#main").childNodes);
  // So that a reload shows the progress and doesn't send the photo again.
  const progress = document.querySelector("#progress");
  if (progress) history.replaceState(null, "", progress.dataset.pageUrl);
  const languages = page.querySelector(".languages");
  if (languages) document.querySelector(".languages")?.replaceWith(languages);
  document.querySelector("[aria-invalid], h1")?.focus();
  scrollTo(0, 0);
  enhance();
}
