// The stored form of the body of an award: packed, since it is the largest part of what a submission leaves for good.
// Of a food it takes 170 bytes instead of 590. Other records are rare, and stay JSON that SQL reads.
import { crc32 } from "node:zlib";
import { createPackedJson } from "../packed-json/packed-json.ts";
import type { Known } from "../packed-json/tokens.ts";
import type { RecordBody } from "./record.ts";

// Both lists are stored by their places: append only. A body with an object of no shape here is stored as JSON.
// Events, findings and what explains an award have lists of their own, even where the words are the same: a place in
// one list must not depend on what another one needs, and what comes often differs.

const namesIn = (text: string): string[] => text.split(" ");

const FACTS = "id externalId name cleanedName imageUrl quantity amountMinor matchedName";
const SHAPES = [
  "reference brand logo location partnerType timestamp currency totalAmountMinor items excludedItems",
  `${FACTS} healthRating carbonRating co2eMg carbonDataSource healthPoints carbonPoints bonusPoints`,
  `${FACTS} exclusionReason`,
].map(namesIn);

/** Strings that come often: 64 of one byte, then of two. */
const WORDS: readonly string[] = [
  "",
  ...namesIn("GBP EUR CHF SEK DKK NOK PLN CZK USD"),
  ...namesIn(
    "NO_MATCH LOW_CONFIDENCE NON_FOOD BAG DEPOSIT DISCOUNT ALCOHOL TOBACCO INFANT_FORMULA SUPPLEMENT PET_FOOD",
  ),
  ...namesIn("REFUND VOID NOT_ELIGIBLE"),
];

const PACKED = createPackedJson({ shapes: SHAPES, words: WORDS });
/** The last bytes are a checksum: PostgreSQL checks a text that it stores as JSON, and nothing of these bytes. */
const CHECKSUM_BYTES = 4;

/** The ids of the items begin with that of the submission. */
const knownOf = (submissionId: string): Known => ({ ownerId: submissionId, strings: [] });

/** Packs the body of an award; null: it is stored as JSON. */
export function packBody(body: RecordBody, submissionId: string): Buffer | null {
  const packed = PACKED.pack(body, null, knownOf(submissionId));
  if (!packed) return null;
  const stored = Buffer.allocUnsafe(packed.length + CHECKSUM_BYTES);
  packed.copy(stored);
  stored.writeUInt32BE(crc32(packed), packed.length);
  return stored;
}

/** Returns a packed body. Throws for bytes that `packBody` has not written for this submission. */
export function unpackBody(stored: Buffer, submissionId: string): RecordBody {
  const length = stored.length - CHECKSUM_BYTES;
  const packed = stored.subarray(0, Math.max(0, length));
  if (length < 0 || stored.readUInt32BE(length) !== crc32(packed)) throw new Error("a packed body that was changed");
  return PACKED.unpack(packed, knownOf(submissionId)) as RecordBody;
}
