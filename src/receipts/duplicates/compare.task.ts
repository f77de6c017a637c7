import { comparePictures } from "../../images/compare/features.ts";
import type { ViewedPicture } from "../../images/compare/features.ts";
import type { Log } from "../../log.ts";
import type { Database } from "../../postgres/postgres.ts";
import { aligned, heightOf, medianOf, placesOf } from "./alignment.ts";
import type { DuplicateMatch } from "./duplicate-checks.ts";
import { judged, placesToCompare } from "./likeness.ts";
import type { Likeness } from "./likeness.ts";
import type { OcrPage } from "../../ocr/page.ts";
import type { Receipt } from "../receipt.ts";
import { findDuplicateCandidates, readSeen } from "./store.ts";

/**
 * Compares a receipt with the earlier ones that print nearly the same figures, and notes by their ids how they resemble it;
 * those that were compared already are left out.
 */
export type CompareWithEarlier = (
  receipt: Receipt,
  page: OcrPage,
  keys: readonly string[],
  compared: Map<string, DuplicateMatch>,
) => Promise<void>;

/** Makes what compares receipts: first what was read, then the pictures where that leaves it open. */
export function createComparison(deps: {
  database: Database;
  /** Where a stored image lies. */
  pathOf: (imageKey: string) => string;
  log: Log;
}): CompareWithEarlier {
  const { database, pathOf, log } = deps;

  const viewed = ({ imageKey, page }: SeenPage): ViewedPicture => {
    const { width, height, rotation, boxes } = page;
    return { path: pathOf(imageKey), width, height, rotation, textHeight: medianOf(boxes.map(heightOf)) };
  };

  const likenessOf = async (own: SeenPage, other: SeenPage): Promise<Likeness | null> => {
    const alignment = aligned(own.page, other.page);
    const places = alignment ? placesToCompare(placesOf(own.page, other.page, alignment)) : [];
    if (!alignment || places.length === 0) return null;
    const quads = places.map(({ polygon }) => polygon);
    try {
      return judged(places, await comparePictures(viewed(own), viewed(other), alignment.map, quads));
    } catch (error) {
      // Without its picture, as when somebody's data was erased meanwhile, an earlier receipt proves nothing.
      log.warn({ err: error, imageKey: other.imageKey }, "images not compared");
      return null;
    }
  };

  return async (receipt, page, keys, compared) => {
    for (const lookalike of await findDuplicateCandidates(database, receipt, keys)) {
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
