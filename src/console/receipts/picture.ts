import { html } from "../../html/html.ts";
import type { Html } from "../../html/html.ts";
import { addressOf } from "../page.ts";
import type { View } from "../page.ts";
import type { Line, ReadReceipt, Reading } from "./types.ts";

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

/** All pictures of a receipt, in the order in which they were sent: mostly one. */
export function picturesOf(view: View, { status, reading }: ReadReceipt, look: PictureLook): Html {
  const { picture: words } = view.language.phrases.receipts;
  const { images } = status.receiptStatusDoc.uploadStateData;
  const all = images?.length ?? 1;
  if (all === 1) return pictureOf(view, reading, 1, look);
  return html`${Array.from({ length: all }, (_, i) => {
    const part = words.part(i + 1, all);
    return html`<h3>${part}</h3>
      ${pictureOf(view, reading, i + 1, { ...look, label: `${part}. ${look.label}` })}`;
  })}`;
}

/** A picture of a receipt with the places of the lines that are on it, each with the number of its line. */
function pictureOf(view: View, reading: Reading, part: number, { isLinked, label, marked }: PictureLook): Html {
  const { picture: words } = view.language.phrases.receipts;
  const query: Record<string, string> = part > 1 ? { part: String(part) } : {};
  const address = addressOf(view, "receipts", `/${reading.receiptID}/picture`, query);
  const picture = reading.pictures[part - 1];
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
          ${fieldBoxes(view, reading, part, height)} ${lineBoxes(view, reading, { part, height, isLinked, marked })}
        </g>
      </svg>
    </div>
    <p class="hint" data-broken hidden>${words.broken}</p>
  </div>`;
}

/** The places that are on one of the pictures. */
function placesOn(part: number, { places, parts }: Pick<Line, "places" | "parts">): number[][] {
  return places.filter((_, i) => parts[i] === part);
}

function fieldBoxes(view: View, { fields }: Reading, part: number, height: number): Html[] {
  const { fields: words } = view.language.phrases.receipts;
  return fields.map(
    (field) =>
      html`<g class="place field" data-place="${field.name}">
        <title>${words.names[field.name]}</title>
        ${placesOn(part, field).map((place) => html`<polygon points="${pointsOf(place, height)}" />`)}
      </g>`,
  );
}

function lineBoxes(
  view: View,
  { lines }: Reading,
  {
    part,
    height,
    isLinked,
    marked,
  }: Pick<PictureLook, "isLinked" | "marked"> & { readonly part: number; readonly height: number },
): Html[] {
  const { picture: words } = view.language.phrases.receipts;
  return lines.flatMap((line, i) => {
    const places = placesOn(part, line);
    if (places.length === 0) return [];
    // A line over two pictures has its anchor on the first one.
    const isAnchor = line.parts[0] === part;
    const number = i + 1;
    const drawn = html`${places.map((place) => html`<polygon points="${pointsOf(place, height)}" />`)}
    ${numberAt(places[0]!, height, number)}`;
    const title = words.line(number, line.name);
    const look = marked?.has(i) ? "place differs" : "place";
    if (!isLinked) return [html`<g class="${look}"><title>${title}</title>${drawn}</g>`];
    return [
      html`<a
        class="place"
        ${isAnchor && html`id="box-${number}"`}
        href="#line-${number}"
        data-place="${number}"
        aria-label="${title}"
      >
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
