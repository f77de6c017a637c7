import { firstIdAt, timeOfId } from "../../ids.ts";

/**
 * A place in the events of an application. Ids are made before the commit, so an event may become visible after one
 * with a higher id: a place is a floor that everything above is read from, and the ids above it that were returned.
 */
export interface FeedPlace {
  readonly floor: string;
  /** Ascending. */
  readonly returned: readonly string[];
}

/** An event that commits this much later than one with a higher id is still found. */
const OVERLAP_MS = 15_000;
/** Limits the length of a cursor to 4,300 characters. At more events in 15 s the overlap is shorter. */
const RETURNED_MAX = 200;
const ID_BYTES = 16;

/** Newest events that this place is made of: one more than it keeps, so that older ones are below its floor. */
export const NEWEST_MAX = RETURNED_MAX + 1;

/** The place after the newest events, which are `ids`. It asks no clock: that of another machine may differ. */
export function placeAfterNewest(ids: readonly string[]): FeedPlace {
  return placeAfter(placeAt(new Date(0)), ids);
}

/** The place before all events from `time` on. */
export function placeAt(time: Date): FeedPlace {
  return { floor: firstIdAt(time.getTime()), returned: [] };
}

/** The place after `ids` were returned too, in any order. */
export function placeAfter({ floor, returned }: FeedPlace, ids: readonly string[]): FeedPlace {
  const all = [...returned, ...ids].sort();
  const last = all.at(-1);
  if (last === undefined) return { floor, returned };
  const overlap = firstIdAt(timeOfId(last) - OVERLAP_MS);
  const cut = all.at(-RETURNED_MAX - 1) ?? floor;
  const newFloor = [floor, overlap, cut].sort().at(-1)!;
  return { floor: newFloor, returned: all.filter((id) => id > newFloor) };
}

/** Writes a place as the text that clients send back. */
export function cursorOf({ floor, returned }: FeedPlace): string {
  return Buffer.from([floor, ...returned].join("").replaceAll("-", ""), "hex").toString("base64url");
}

/** Reads a cursor; null for any other text. */
export function parseCursor(text: string): FeedPlace | null {
  if (!/^[\w-]{22,4400}$/.test(text)) return null;
  const hex = Buffer.from(text, "base64url").toString("hex");
  if (hex.length % (2 * ID_BYTES) !== 0 || hex.length > 2 * ID_BYTES * (RETURNED_MAX + 1)) return null;
  const [floor, ...returned] = (hex.match(/.{32}/g) ?? []).map(
    (id) => `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`,
  );
  if (floor === undefined) return null;
  const place = { floor, returned };
  // Base64 has several spellings of the same bytes.
  return cursorOf(place) === text ? place : null;
}
