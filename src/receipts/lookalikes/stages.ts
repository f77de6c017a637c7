import type { Log } from "../../adapters/log.ts";
import type { Database } from "../../adapters/postgres.ts";
import type { Affine } from "../../affine.ts";
import { aligned, heightOf, medianOf, placesOf } from "../checks/alignment.ts";
import type { Resembling } from "../checks/among-others.ts";
import { judged, placesToCompare } from "../checks/likeness.ts";
import type { Likeness, PlaceResemblance } from "../checks/likeness.ts";
import type { OcrPage, TextBox } from "../reading/read.ts";
import type { Receipt } from "../receipt.ts";
import { findLookalikes, readSeen } from "./store.ts";

/** A stored image and how the OCR looked at it; `textHeight` in pixels of that size. */
export interface SeenImage extends Pick<OcrPage, "width" | "height" | "rotation"> {
  readonly imageKey: string;
  readonly textHeight: number;
}

/** Compares two stored images at places of the first; throws when one cannot be had. */
export type CompareImages = (
  from: SeenImage,
  to: SeenImage,
  map: Affine,
  places: readonly TextBox["polygon"][],
) => Promise<readonly (PlaceResemblance | null)[]>;

/**
 * Compares a receipt with the earlier ones that print nearly the same figures, and notes by their ids how they resemble it;
 * those that were compared already are left out.
 */
export type CompareWithEarlier = (
  receipt: Receipt,
  page: OcrPage,
  keys: readonly string[],
  compared: Map<string, Resembling>,
) => Promise<void>;

/** Makes what compares receipts: first what was read, then the pictures where that leaves it open. */
export function createComparison(deps: {
  database: Database;
  compareImages: CompareImages;
  log: Log;
}): CompareWithEarlier {
  const { database, compareImages, log } = deps;

  const likenessOf = async (own: SeenPage, other: SeenPage): Promise<Likeness | null> => {
    const alignment = aligned(own.page, other.page);
    const places = alignment ? placesToCompare(placesOf(own.page, other.page, alignment)) : [];
    if (!alignment || places.length === 0) return null;
    const quads = places.map(({ polygon }) => polygon);
    try {
      return judged(places, await compareImages(seenImage(own), seenImage(other), alignment.map, quads));
    } catch (error) {
      // Without its picture, as when somebody's data was erased meanwhile, an earlier receipt proves nothing.
      log.warn({ err: error, imageKey: other.imageKey }, "images not compared");
      return null;
    }
  };

  return async (receipt, page, keys, compared) => {
    for (const lookalike of await findLookalikes(database, receipt, keys)) {
      if (compared.has(lookalike.id)) continue;
      const seen = await readSeen(database, lookalike);
      const likeness = seen && (await likenessOf({ imageKey: receipt.imageKey, page }, seen));
      const isOwn = lookalike.userId === receipt.userId;
      compared.set(lookalike.id, { ...(likeness ?? { kind: "different", score: 0 }), isOwn });
    }
  };
}

interface SeenPage {
  readonly imageKey: string;
  readonly page: OcrPage;
}

function seenImage({ imageKey, page }: SeenPage): SeenImage {
  const { width, height, rotation, boxes } = page;
  return { imageKey, width, height, rotation, textHeight: medianOf(boxes.map(heightOf)) };
}
