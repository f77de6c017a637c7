// Keys of the list, the search as one types, and the focus of what is confirmed. All pages work without it.

const KEPT = "console.names.keys";
const TYPE_PAUSE_MS = 200;

const rows = [...document.querySelectorAll("[data-row]")];
const hint = document.querySelector("[data-keys]");
if (hint && rows.length > 0) addKeys(hint.querySelector("input"));

/** Single keys can disturb speech input and screen readers: a box switches them off, and is remembered. */
function addKeys(box) {
  hint.hidden = false;
  box.checked = localStorage.getItem(KEPT) !== "off";
  box.addEventListener("change", () => localStorage.setItem(KEPT, box.checked ? "on" : "off"));
  for (const row of rows) row.tabIndex = -1;
  let chosen = -1;
  const choose = (index) => {
    chosen = Math.max(0, Math.min(rows.length - 1, index));
    rows[chosen].focus();
    rows[chosen].scrollIntoView({ block: "nearest" });
  };
  const follow = (selector) => rows[Math.max(0, chosen)].querySelector(selector)?.click();
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("input:not([type=checkbox]), select, textarea");
    if (!box.checked || isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const inRow = event.target.closest("[data-row]");
    if (inRow) chosen = rows.indexOf(inRow);
    if (event.key === "j") choose(chosen + 1);
    else if (event.key === "k") choose(chosen - 1);
    else if (event.key === "x") follow("[data-not-food]");
    else if (event.key === "/") follow("[data-search]");
    else if (event.key === "Enter" && event.target === inRow) follow("[data-first]");
    else return;
    event.preventDefault();
  });
}

const search = document.querySelector("[data-foods]");
if (search) addSearch(search);

function addSearch(field) {
  const choices = document.querySelector("[data-choices]");
  let timer = 0;
  let newest = 0;
  /** What the shown foods were found for. */
  let shownFor = field.value;
  field.focus();
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const number = (newest += 1);
      const query = new URLSearchParams({ q: field.value });
      const response = await fetch(`${field.dataset.foods}?${query}`).catch(() => null);
      // A slow response must not replace that of what was typed since.
      if (!response?.ok || number !== newest) return;
      const { foods } = await response.json();
      show(choices, foods);
      shownFor = query.get("q");
    }, TYPE_PAUSE_MS);
  });
  // Enter takes the first of the foods that were found for this; before they are there, it searches as without script.
  field.form.addEventListener("submit", (event) => {
    const first = choices.querySelector("input");
    if (!first || field.value === "" || field.value !== shownFor) return;
    event.preventDefault();
    first.checked = true;
    first.form.requestSubmit();
  });
}

function show(choices, foods) {
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
  const labels = foods.map(({ foodId, name, confidence }, index) => {
    const label = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, {
      type: "radio",
      name: "means",
      value: `food:${foodId}`,
      required: true,
      checked: index === 0,
    });
    const likely = document.createElement("span");
    likely.className = "soft";
    likely.textContent = choices.dataset.likely.replace("{share}", percent.format(confidence));
    const food = document.createElement("bdi");
    food.textContent = name;
    label.append(input, " ", food, " ", likely);
    return label;
  });
  if (labels.length > 0) return choices.replaceChildren(...labels);
  const nothing = document.createElement("p");
  nothing.className = "soft";
  nothing.textContent = choices.dataset.nothing;
  choices.replaceChildren(nothing);
  return undefined;
}

// The keystroke that led here is followed by Enter.
document.querySelector("[data-focus]")?.focus();
