import { numberedKeys } from "../../numbered-keys.ts";
import type { FileStore } from "../../files.ts";
import type { PictureComparer } from "../../images/compare/comparer.ts";
import type { ViewedPicture } from "../../images/compare/features.ts";
import type { Log } from "../../log.ts";
import { OcrFailure } from "../../ocr/failure.ts";
import type { Database } from "../../postgres/postgres.ts";
import { photosOf } from "../parts/parted-page.ts";
import type { PartedPage } from "../parts/parted-page.ts";
import type { Receipt } from "../receipt.ts";
import { aligned, heightOf, medianOf, placesOf } from "./alignment.ts";
import type { DuplicateMatch } from "./duplicate-checks.ts";
import { placesToCompare, similarityOf } from "./similarity.ts";
import type { Similarity } from "./similarity.ts";
import { identifiedBy, isCloser, isSameBasketAgain, pairsToCompare } from "./part-pairs.ts";
import type { ReadReceipt } from "./part-pairs.ts";
import { findDuplicateCandidates, readCandidates } from "./store.ts";

/** The matches of a receipt with earlier ones, by the ids of those. */
export type Comparisons = ReadonlyMap<string, DuplicateMatch>;

/**
 * Compares a receipt with the earlier ones that have keys in common with it. Returns `done`, the comparisons of an
 * earlier call, with those that it doesn't have yet.
 */
export type CompareWithEarlier = (
  receipt: Receipt,
  read: ReadReceipt,
  keys: readonly string[],
  done: Comparisons,
) => Promise<Comparisons>;

/** Creates the comparison: by the text that was read, then by the pictures if the text leaves it open. */
export function createComparison(deps: {
  database: Database;
  borrow: FileStore["borrow"];
  comparePictures: PictureComparer["compare"];
  log: Log;
}): CompareWithEarlier {
  const { database, comparePictures, log } = deps;

  const viewed = async ({ imageKey, page }: ReadPicture, pathOf: PathOf): Promise<ViewedPicture> => {
    const { width, height, rotation, boxes } = page;
    return { path: await pathOf(imageKey), width, height, rotation, textHeight: medianOf(boxes.map(heightOf)) };
  };

  const compare = async (
    own: ReadPicture,
    other: ReadPicture,
    { isPart, pathOf }: { isPart: boolean; pathOf: PathOf },
  ): Promise<Found | null> => {
    const alignment = aligned(own.page, other.page);
    const all = alignment ? placesOf(own.page, other.page, alignment) : [];
    const places = placesToCompare(all);
    if (!alignment || places.length === 0) return null;
    const by = isPart ? identifiedBy(all) : "figures";
    if (by === null) return null;
    const quads = places.map(({ polygon }) => polygon);
    const [from, to] = [await viewed(own, pathOf), await viewed(other, pathOf)];
    const pictures = { from, to, map: alignment.map, places: quads };
    const compared = await comparePictures(pictures);
    if (compared.kind === "compared") return { ...similarityOf(places, compared.places, all), by };
    const { kind, reason } = compared;
    // As while it is read: the attempt is not counted.
    if (kind === "closed") throw new OcrFailure("closed", reason);
    // A picture that nobody could compare is no proof of another receipt: the attempt fails, and is repeated.
    if (kind === "stopped") throw new Error(`images not compared: ${reason}`);
    // An earlier receipt without its picture proves nothing. Its user's data may have been erased meanwhile.
    log.warn({ reason, imageKey: other.imageKey }, "images not compared");
    return null;
  };

  /** The most similar of all pairs that have most print in common. */
  const compareAll = async (read: ReadReceipt, own: readonly ReadPicture[], earlier: ReadPicture, pathOf: PathOf) => {
    const others = picturesOf(earlier);
    let closest: Similarity | null = null;
    for (const [one, other] of pairsToCompare(own, others)) {
      const found = await compare(one, other, { isPart: own.length + others.length > 2, pathOf });
      const isAnother = found?.kind === "same_print" && found.by === "lines" && isSameBasketAgain(read, earlier.page);
      if (found && !isAnother && (closest === null || isCloser(found, closest))) closest = found;
      if (closest?.kind === "same_picture") break;
    }
    return closest;
  };

  return async (receipt, read, keys, done) => {
    const comparisons = new Map(done);
    const own = picturesOf({ imageKey: receipt.imageKey, page: read.page });
    const candidates = await findDuplicateCandidates(database, receipt, keys);
    const added = candidates.filter(({ id }) => !comparisons.has(id));
    const readEarlier = await readCandidates(database, added);
    await using borrowed = new AsyncDisposableStack();
    const pathOf = borrowedOnce(deps.borrow, borrowed);
    for (const candidate of added) {
      const earlier = readEarlier.get(candidate.id);
      const similarity = earlier && (await compareAll(read, own, earlier, pathOf));
      const isOwn = candidate.userId === receipt.userId;
      comparisons.set(candidate.id, { ...(similarity ?? { kind: "different", score: 0 }), isOwn });
    }
    return comparisons;
  };
}

/** Returns the path of an image, which is borrowed once, however many pairs it is in. */
type PathOf = (imageKey: string) => Promise<string>;

/** Borrows until `borrowed` is disposed of: the comparing process keeps what it has read by the path. */
function borrowedOnce(borrow: FileStore["borrow"], borrowed: AsyncDisposableStack): PathOf {
  const paths = new Map<string, string>();
  return async (imageKey) => {
    const path = paths.get(imageKey) ?? borrowed.use(await borrow(imageKey)).path;
    paths.set(imageKey, path);
    return path;
  };
}

/** A comparison of two photos, with what identifies the purchase in them. */
type Found = Similarity & { readonly by: "figures" | "lines" };

/** The pictures of a receipt: one, unless several photos of it were sent. */
function picturesOf({ imageKey, page }: ReadPicture): ReadPicture[] {
  const pages = photosOf(page);
  const keys = numberedKeys(imageKey, pages.length);
  return pages.map((each, i) => ({ imageKey: keys[i]!, page: each }));
}

/** A stored picture and the text that the OCR read in it. */
interface ReadPicture {
  readonly imageKey: string;
  readonly page: PartedPage;
}
