// Adds to the queue: keys, a search of foods while one types, and the points while one corrects. Without it the page
// is forms and links.

const TYPING_MS = 250;
const KEYS_OFF = "review-keys-off";

const form = document.querySelector("#correction");
const keys = document.querySelector(".keys");

if (keys) {
  keys.hidden = false;
  const toggle = keys.querySelector("[data-keys]");
  toggle.checked = localStorage.getItem(KEYS_OFF) === null;
  toggle.addEventListener("change", () => {
    if (toggle.checked) localStorage.removeItem(KEYS_OFF);
    else localStorage.setItem(KEYS_OFF, "1");
  });
  document.addEventListener("keydown", (event) => {
    if (toggle.checked && !event.defaultPrevented && !isTyping(event)) press(event);
  });
}

function isTyping({ target, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return true;
  if (!(target instanceof Element)) return false;
  return target.matches("input:not([type=checkbox]), select, textarea") || target.isContentEditable;
}

function follow(rel) {
  document.querySelector(`.queue-bar a[rel="${rel}"]`)?.click();
}

const reasons = document.querySelector("[data-reject]");

function press(event) {
  const reason = Number(event.key);
  if (reasons?.contains(document.activeElement) && reason >= 1) {
    const targets = [...reasons.querySelectorAll("button.danger")].slice(0, -1);
    const input = reasons.querySelector("input[name=reason]");
    event.preventDefault();
    if (targets[reason - 1]) targets[reason - 1].click();
    else if (reason === targets.length + 1) input.focus();
    return;
  }
  const actions = {
    a: () => form?.querySelector("[data-accept]")?.click(),
    r: () => reasons?.querySelector("button.danger")?.focus(),
    e: () => form?.querySelector(".line input")?.focus(),
    n: () => follow("next"),
    j: () => follow("next"),
    k: () => follow("prev"),
    p: () => document.querySelector("#picture .picture-view")?.focus(),
  };
  const action = actions[event.key.toLowerCase()];
  if (!action || event.repeat) return;
  event.preventDefault();
  action();
}

if (form) {
  let waiting = null;
  let number = 0;
  const points = form.querySelector("[data-points]");
  const foods = document.querySelector("#foods");
  let suggested = new Map();

  const later = (work) => {
    clearTimeout(waiting);
    waiting = setTimeout(work, TYPING_MS);
  };

  /** Asks what the form would book, and shows the response to the last question only. */
  const preview = async () => {
    number += 1;
    const asked = number;
    const body = new URLSearchParams(new FormData(form));
    body.set("do", "preview");
    const response = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
    if (!response.ok || asked !== number) return;
    points.textContent = (await response.json()).points;
  };

  const suggest = async (input) => {
    const name = input.value.trim();
    if (name.length < 2) return;
    const response = await fetch(`${foods.dataset.address}?${new URLSearchParams({ name })}`);
    if (!response.ok || input.value.trim() !== name) return;
    const { foods: found } = await response.json();
    suggested = new Map(found.map((food) => [food.name, food.foodId]));
    foods.replaceChildren(
      ...found.map((food) => {
        const option = document.createElement("option");
        option.value = food.name;
        return option;
      }),
    );
  };

  form.addEventListener("input", ({ target }) => {
    if (target.dataset.food) {
      form.elements[target.dataset.food].value = suggested.get(target.value) ?? "";
      if (!suggested.has(target.value)) later(() => Promise.all([suggest(target), preview()]));
      else later(preview);
      return;
    }
    if (target.name !== "reason") later(preview);
  });
  // Pressed twice, the second reviewer would be oneself.
  form.addEventListener("submit", (event) => {
    if (form.dataset.isSent) event.preventDefault();
    form.dataset.isSent = "true";
  });
  addEventListener("pageshow", () => delete form.dataset.isSent);
}
