// Links the places on the picture of a receipt with its lines, and lets the picture be zoomed and turned. Without it
// the numbers on both are links.

const ZOOM_STEP = 1.25;
const ZOOM_MAX = 6;

/** Marks all that is about one place: its boxes and its line. */
function mark(key) {
  for (const element of document.querySelectorAll("[data-place]")) {
    element.classList.toggle("is-marked", key !== null && element.dataset.place === key);
  }
}

function keyOf(target) {
  return target instanceof Element ? (target.closest("[data-place]")?.dataset.place ?? null) : null;
}

for (const type of ["pointerover", "focusin"]) {
  document.addEventListener(type, (event) => {
    const key = keyOf(event.target);
    mark(key);
    // A line that is worked on shows its place; a place under the pointer moves nothing.
    if (type === "focusin" && key !== null && !(event.target instanceof SVGElement)) show(key);
  });
}

/** Scrolls the picture, and only it, to a place. */
function show(key) {
  const box = document.querySelector(`.picture-view [data-place="${CSS.escape(key)}"]:has(polygon)`);
  const view = box?.closest(".picture-view");
  if (!box || !view) return;
  const [inner, outer] = [box.getBoundingClientRect(), view.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) view.scrollTop += inner.top - outer.top - outer.height / 3;
}

for (const picture of document.querySelectorAll(".picture")) {
  const view = picture.querySelector(".picture-view");
  const drawing = view.querySelector("svg, img");
  const turned = drawing.querySelector(".turned");
  let zoom = 1;
  let turns = 0;

  const zoomBy = (factor) => {
    zoom = Math.min(ZOOM_MAX, Math.max(1, zoom * factor));
    drawing.style.width = `${zoom * 100}%`;
  };
  const turn = () => {
    turns = (turns + 1) % 4;
    if (!turned) {
      drawing.style.rotate = `${turns * 90}deg`;
      return;
    }
    const [width, height] = [Number(drawing.dataset.width), Number(drawing.dataset.height)];
    const isOnSide = turns % 2 === 1;
    drawing.setAttribute("viewBox", isOnSide ? `0 0 ${height} ${width}` : `0 0 ${width} ${height}`);
    const moves = ["", `translate(${height} 0)`, `translate(${width} ${height})`, `translate(0 ${width})`];
    turned.setAttribute("transform", `${moves[turns]} rotate(${turns * 90})`);
  };

  const tools = picture.querySelector(".picture-tools");
  tools.hidden = false;
  tools.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.zoom === "in") zoomBy(ZOOM_STEP);
    else if (button?.dataset.zoom === "out") zoomBy(1 / ZOOM_STEP);
    else if (button) turn();
  });
  // A file that no browser can draw, as one that was damaged on the disk: a sentence in its place.
  const image = picture.querySelector("img, image");
  image.decode?.().catch(() => {
    view.hidden = true;
    tools.hidden = true;
    picture.querySelector("[data-broken]").hidden = false;
  });
  // Single keys act only while the picture has the focus (WCAG 2.1.4).
  picture.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = { "+": () => zoomBy(ZOOM_STEP), "-": () => zoomBy(1 / ZOOM_STEP), r: turn, R: turn };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
}
