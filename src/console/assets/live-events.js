// Adds events to the table as they happen, newest first. The page works without it, and shows those of the last hour.

const ROWS_MAX = 200;
const box = document.getElementById("live");
const rows = document.getElementById("events");
const [state, button] = [box.querySelector("[role=status]"), box.querySelector("button")];
const { stream, live, paused, lost, pause, resume } = box.dataset;
const label = rows.closest("table").querySelector("th:last-child").textContent;
let source = null;

const element = (name, ...children) => {
  const made = document.createElement(name);
  made.append(...children);
  return made;
};

const rowOf = ({ at, event, subjectId, payload }) =>
  element(
    "tr",
    element("td", element("time", at)),
    element("td", element("code", event)),
    element("td", element("code", subjectId)),
    element("td", element("details", element("summary", label), element("pre", element("code", payload)))),
  );

const listen = () => {
  source = new EventSource(stream);
  source.addEventListener("open", () => (state.textContent = live));
  source.addEventListener("error", () => (state.textContent = lost));
  source.addEventListener("message", ({ data }) => {
    const { events } = JSON.parse(data);
    if (events.length === 0) return;
    for (const event of events) rows.prepend(rowOf(event));
    while (rows.children.length > ROWS_MAX) rows.lastElementChild.remove();
    rows.closest("table").hidden = false;
    document.getElementById("no-events").hidden = true;
  });
};

button.addEventListener("click", () => {
  if (source) {
    source.close();
    source = null;
    [state.textContent, button.textContent] = [paused, resume];
  } else {
    button.textContent = pause;
    listen();
  }
});
box.hidden = false;
listen();
