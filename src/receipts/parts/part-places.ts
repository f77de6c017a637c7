// Where the parts of a reading are printed, on the photos that a receipt was joined of. Pure.
import type { OcrPage, TextBox } from "../../ocr/page.ts";
import type { Place, ReadingPlaces } from "../parsing/places.ts";
import { joiningOf, photosOf } from "./parted-page.ts";
import type { PartedPage } from "./parted-page.ts";

/** A place with its photo, from 1 in the order in which they were sent. */
export interface PartPlace {
  readonly place: Place;
  readonly part: number;
}

/** The places of a reading, each on its photo. */
export interface PartPlaces {
  readonly merchantName: readonly PartPlace[];
  readonly date: readonly PartPlace[];
  readonly total: readonly PartPlace[];
  readonly lines: readonly (readonly PartPlace[])[];
}

/** A row of the joined page and a place are the same if their middles are this near, in heights of text. */
const SAME_ROW_HEIGHTS = 0.4;

/** Finds the places of a joined page on its photos. Those of a page that was not joined stay as they are. */
export function placesOnParts(page: PartedPage, places: ReadingPlaces): PartPlaces {
  const joined = joiningOf(page);
  const photos = photosOf(page);
  const onPart = (place: Place): PartPlace[] => {
    if (!joined) return [{ place, part: 1 }];
    const { width, height: pageHeight } = joined.page;
    const [left, right] = [place[0] * width, place[2] * width];
    const middle = ((place[1] + place[7]) / 2) * pageHeight;
    const row = joined.sources.filter((_, i) => {
      const [from, to, y, height] = extentOf(joined.page.boxes[i]!);
      const isBetween = from >= left - height && to <= right + height;
      return isBetween && Math.abs(y - middle) < SAME_ROW_HEIGHTS * height;
    });
    const [first, last] = [row[0], row.at(-1)];
    if (!first || !last || first.part !== last.part) return [];
    return [{ place: placeOf(first.box, last.box, photos[first.part]!), part: first.part + 1 }];
  };
  return {
    merchantName: places.merchantName.flatMap(onPart),
    date: places.date.flatMap(onPart),
    total: places.total.flatMap(onPart),
    lines: places.lines.map((line) => line.flatMap(onPart)),
  };
}

function extentOf({ polygon: [a, b, , d] }: TextBox): [left: number, right: number, y: number, height: number] {
  return [a.x, b.x, (a.y + d.y) / 2, d.y - a.y];
}

/** From the left edge of the first box of a row to the right edge of its last one, as in parsing/places.ts. */
function placeOf(first: TextBox, last: TextBox, { width, height }: OcrPage): Place {
  const corners = [first.polygon[0], last.polygon[1], last.polygon[2], first.polygon[3]];
  const share = (value: number, side: number) => Math.round(Math.min(1, Math.max(0, value / side)) * 10_000) / 10_000;
  return corners.flatMap(({ x, y }) => [share(x, width), share(y, height)]) as unknown as Place;
}
