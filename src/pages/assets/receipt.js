// Makes the receipt's page comfortable: camera, preview, advice, a progress bar for the upload, live progress. The
// pages come from the server, the same as for a browser without script; this script only replaces the main part.
import { flawsOf } from "./flaws.js";
import { enhanceParts } from "./parts.js";
import { openPhoto, pixelsOf, show as showPhoto, toSend } from "./photo.js";
import { loadPhoto, removeParts, removePhoto, saveNotes, savePhoto } from "./photo-store.js";
import { follow, startLive } from "./progress.js";
import { sendUntilArrived } from "./upload.js";

startLive();
enhance();

function enhance() {
  for (const noscript of document.querySelectorAll("noscript")) noscript.remove();
  const form = document.querySelector("#receipt-form");
  if (form) void enhanceForm(form);
  if (document.querySelector("#progress")) {
    void removePhoto();
    void removeParts();
    follow();
  }
}

async function enhanceForm(form) {
  const part = (id) => form.querySelector(`#${id}`);
  const input = part("receiptImage");
  const words = JSON.parse(form.dataset.words);
  // The script sends as JPEG whatever the browser shows. HEIC is none of these: iOS converts it for such a field.
  input.accept += ",image/webp,image/avif,image/gif,image/bmp";
  const addParts = enhanceParts(part("parts"), words);
  /** The photo on the page: the chosen file, the decoded picture, and its rotation in quarter turns. */
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
    void removePhoto();
    part("choose").focus();
  });
  part("rotate").addEventListener("click", () => {
    photo.turns = (photo.turns + 1) % 4;
    showPhoto(photo, part("preview"));
    saveAllNotes();
  });
  form.addEventListener("input", (event) => {
    if (photo && event.target !== input) saveAllNotes();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (photo || input.files[0]) void send();
  });
  // The photo was chosen before: the page was reloaded, or removed from memory for the camera app.
  const before = await loadPhoto();
  if (input.files[0]) await takeNew(input.files[0]);
  else if (before) {
    for (const [name, value] of Object.entries(before.typed))
      if (part(name) && !part(name).value) part(name).value = value;
    await take(before.file, before.turns);
  }

  function saveAllNotes() {
    const typed = {};
    for (const field of form.querySelectorAll(".field input")) typed[field.id] = field.value;
    saveNotes({ turns: photo.turns, typed });
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
    void savePhoto(file);
    saveAllNotes();
  }

  /** Shows a photo, with advice; returns false if the browser cannot decode it. */
  async function take(file, turns) {
    form.setAttribute("aria-busy", "true");
    const opened = await openPhoto(file);
    form.removeAttribute("aria-busy");
    if (!opened) {
      // The file can still be sent: the service decides whether it is readable.
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
    // The photo on the page is sent; the field may not contain it.
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
    await addParts(body);
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

/** Replaces the main part with that of another page, which may have a stylesheet that this one has not. */
function showPage(page) {
  const known = new Set([...document.querySelectorAll("style")].map(({ textContent }) => textContent));
  for (const style of page.querySelectorAll("style")) if (!known.has(style.textContent)) document.head.append(style);
  document.title = page.title;
  document.querySelector("#main").replaceChildren(...page.querySelector("#main").childNodes);
  // A reload then shows the progress and doesn't send the photo again.
  const progress = document.querySelector("#progress");
  if (progress) history.replaceState(null, "", progress.dataset.pageUrl);
  const languages = page.querySelector(".languages");
  if (languages) document.querySelector(".languages")?.replaceWith(languages);
  document.querySelector("[aria-invalid], h1")?.focus();
  scrollTo(0, 0);
  enhance();
}
