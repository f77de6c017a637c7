import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import { addressOf } from "../page.ts";
import type { View } from "../page.ts";
import type { Reading } from "./types.ts";

/** The width of the drawing; its height follows from the picture. */
const WIDTH = 1_000;

/** Turns the stored image to be upright: it is as wide as the upright picture is high, if it lies on its side. */
const TURNS: Readonly<Record<number, (width: number, height: number) => string>> = {
  0: () => "",
  90: (width) => `translate(${width} 0) rotate(90)`,
  180: (width, height) => `translate(${width} ${height}) rotate(180)`,
  270: (_width, height) => `translate(0 ${height}) rotate(270)`,
};

/** How a picture is shown. */
export interface PictureLook {
  readonly label: string;
  /** A place and its line lead to each other; two pictures on one page cannot both have the same anchors. */
  readonly isLinked: boolean;
  /** Lines to mark, from 0. */
  readonly marked?: ReadonlySet<number> | undefined;
}

/** The picture of a receipt with the places of its lines, each with the number of its line. */
export function pictureOf(view: View, reading: Reading, { isLinked, label, marked }: PictureLook): Html {
  const { picture: words } = view.language.phrases.receipts;
  const address = addressOf(view, "receipts", `/${reading.receiptID}/picture`);
  const { picture } = reading;
  const buttons = html`<div class="picture-tools" hidden>
    <button type="button" class="quiet" data-zoom="in">${words.zoomIn}</button>
    <button type="button" class="quiet" data-zoom="out">${words.zoomOut}</button>
    <button type="button" class="quiet" data-turn>${words.turn}</button>
  </div>`;
  if (!picture) {
    return html`<div class="picture">
      ${buttons}
      <div class="picture-view" tabindex="0" role="region" aria-label="${label}">
        <img src="${address}" alt="${words.alt}" />
      </div>
      <p class="hint" data-broken hidden>${words.broken}</p>
      <p class="hint">${words.notRead}</p>
    </div>`;
  }
  const height = Math.round((WIDTH * picture.height) / picture.width);
  const isOnSide = picture.rotation % 180 !== 0;
  const [imageWidth, imageHeight] = isOnSide ? [height, WIDTH] : [WIDTH, height];
  return html`<div class="picture">
    ${buttons}
    <div class="picture-view" tabindex="0" role="region" aria-label="${label}">
      <svg viewBox="0 0 ${WIDTH} ${height}" data-width="${WIDTH}" data-height="${height}">
        <g class="turned">
          <image
            href="${address}"
            width="${imageWidth}"
            height="${imageHeight}"
            preserveAspectRatio="none"
            transform="${TURNS[picture.rotation]!(WIDTH, height)}"
            role="img"
            aria-label="${words.alt}"
          />
          ${fieldBoxes(view, reading, height)} ${lineBoxes(view, reading, height, { isLinked, marked })}
        </g>
      </svg>
    </div>
    <p class="hint" data-broken hidden>${words.broken}</p>
  </div>`;
}

function fieldBoxes(view: View, { fields }: Reading, height: number): Html[] {
  const { fields: words } = view.language.phrases.receipts;
  return fields.map(
    ({ name, places }) =>
      html`<g class="place field" data-place="${name}">
        <title>${words.names[name]}</title>
        ${places.map((place) => html`<polygon points="${pointsOf(place, height)}" />`)}
      </g>`,
  );
}

function lineBoxes(
  view: View,
  { lines }: Reading,
  height: number,
  { isLinked, marked }: Pick<PictureLook, "isLinked" | "marked">,
): Html[] {
  const { picture: words } = view.language.phrases.receipts;
  return lines.flatMap(({ name, places }, i) => {
    if (places.length === 0) return [];
    const number = i + 1;
    const drawn = html`${places.map((place) => html`<polygon points="${pointsOf(place, height)}" />`)}
    ${numberAt(places[0]!, height, number)}`;
    const title = words.line(number, name);
    const look = marked?.has(i) ? "place differs" : "place";
    if (!isLinked) return [html`<g class="${look}"><title>${title}</title>${drawn}</g>`];
    return [
      html`<a class="place" id="box-${number}" href="#line-${number}" data-place="${number}" aria-label="${title}">
        ${drawn}
      </a>`,
    ];
  });
}

/** The number of a line: before its place, or behind it where there is no room. */
function numberAt([left = 0, top = 0, right = 0]: readonly number[], height: number, number: number): Html {
  const isBefore = left >= 0.05;
  const x = Math.round(isBefore ? left * WIDTH - 6 : Math.min(0.95, right) * WIDTH + 6);
  return html`<text x="${x}" y="${Math.round(top * height) + 22}" text-anchor="${isBefore ? "end" : "start"}"
    >${number}</text
  >`;
}

function pointsOf(place: readonly number[], height: number): string {
  return place.map((share, i) => Math.round(share * (i % 2 === 0 ? WIDTH : height))).join(" ");
}
