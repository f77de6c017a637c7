// The findings of a completed receipt as they are stored: in one row, compressed. Its lines and points are those of its
// record, which is the truth, and are not repeated. Packing takes 0.2 ms of a receipt's 900.
import { isDeepStrictEqual } from "node:util";
import type { AwardItem } from "../points/award.ts";
import type { ComposedRecord, ExcludedRecordItem, RecordItem } from "../points/record.ts";
import { recordTotals } from "../points/record.ts";
import type { ExclusionReason, ItemFacts, ScoredLine } from "../points/scored-line.ts";
import type { Check } from "./checks/check.ts";
import type { Enriched } from "./enrichment.ts";
import type { Extracted, Findings } from "./findings.ts";
import { packPage, packedJson, unpackedJson } from "./packed-forms.ts";

/** What lists and filters of receipts read, as JSON. */
export interface CompletedFacts {
  readonly transactionId: string;
  readonly businessName: string;
  readonly merchantName: string | null;
  readonly currency: string;
  readonly totalAmountMinor: number;
  readonly totalPoints: number;
  /** The checks that did not pass. */
  readonly checks: readonly Pick<Check, "name" | "outcome">[];
}

/** The findings of a receipt before its completion. */
type Finished = Required<Pick<Findings, "Extracted" | "Enriched" | "Validated" | "Scored">>;

interface PackedFindings {
  readonly Extracted: Omit<Extracted, "page">;
  /** Without lines: they are those of the record. */
  readonly Enriched: Omit<Enriched, "lines"> & { readonly lines?: Enriched["lines"] };
  readonly checks: readonly Check[];
  /** Times of Extracted, Enriched, Validated and Scored, in ms since 1970. */
  readonly at: readonly [number, number, number, number];
}

/** The row of a completed receipt. */
export interface CompletedRow {
  readonly facts: CompletedFacts;
  readonly packed: Buffer;
  readonly page: Buffer | null;
}

/** Reasons of the terms, not of the line: it was rated all the same. */
const EXCLUDED_BY_TERMS: ReadonlySet<ExclusionReason> = new Set(["LOW_CONFIDENCE", "NOT_ELIGIBLE"]);

/** Packs the findings of a receipt whose record is booked. */
export function packFindings(findings: Finished, record: ComposedRecord, transactionId: string): CompletedRow {
  const { Extracted, Enriched, Validated, Scored } = findings;
  const { page, ...extracted } = Extracted.data;
  const { lines, ...enriched } = Enriched.data;
  const { checks } = Validated.data;
  const isOfRecord = isDeepStrictEqual(linesOf(record), lines);
  const packed: PackedFindings = {
    Extracted: extracted,
    Enriched: isOfRecord ? enriched : { ...enriched, lines },
    checks,
    at: [Extracted.at.getTime(), Enriched.at.getTime(), Validated.at.getTime(), Scored.at.getTime()],
  };
  const facts: CompletedFacts = {
    transactionId,
    businessName: enriched.businessName,
    merchantName: extracted.reading.merchantName,
    currency: enriched.currency,
    totalAmountMinor: record.body.totalAmountMinor,
    totalPoints: recordTotals(record.body).points,
    checks: checks.filter(({ outcome }) => outcome !== "passed").map(({ name, outcome }) => ({ name, outcome })),
  };
  return { facts, packed: packedJson(packed), page: page ? packPage(page) : null };
}

/** Returns the findings of a completed receipt, with the record of its award. Without the text that was read. */
export function unpackFindings(packed: Buffer, record: ComposedRecord): Omit<Finished, "Completed"> {
  const { Extracted, Enriched, checks, at } = unpackedJson(packed) as PackedFindings;
  const [extractedAt, enrichedAt, validatedAt, scoredAt] = at;
  return {
    Extracted: { data: Extracted, at: new Date(extractedAt) },
    Enriched: { data: { ...Enriched, lines: Enriched.lines ?? linesOf(record) }, at: new Date(enrichedAt) },
    Validated: { data: { checks }, at: new Date(validatedAt) },
    Scored: { data: record, at: new Date(scoredAt) },
  };
}

/** The lines of a receipt as they were read. */
export function readingOf(packed: Buffer): Extracted["reading"] {
  return (unpackedJson(packed) as PackedFindings).Extracted.reading;
}

/**
 * The lines of a receipt by its record: one that the rule or the programme did not accept is excluded there, and its
 * evidence has the ratings that it would have had.
 */
function linesOf({ body, awardItems, bases }: ComposedRecord): ScoredLine[] {
  const items = new Map<string, RecordItem | ExcludedRecordItem>();
  for (const item of [...body.items, ...body.excludedItems]) items.set(item.id, item);
  return bases.flatMap(({ itemId, basis }, i): ScoredLine[] => {
    const item = items.get(itemId);
    if (!item) return [];
    const awardItem = awardItems[i]!;
    const { soldByWeight, massMg } = awardItem;
    const line = { ...factsOf(item), soldByWeight, massMg, ...(basis && { basis }) };
    if (!("exclusionReason" in item)) return [{ ...line, ...ratingsOf(item, awardItem) }];
    const rated = EXCLUDED_BY_TERMS.has(item.exclusionReason) ? basis?.rated : null;
    if (!rated) return [{ ...line, exclusionReason: item.exclusionReason }];
    return [
      {
        ...line,
        exclusionReason: null,
        confidence: basis!.match?.confidence ?? 0,
        plainWater: rated.isWater,
        healthRating: rated.health.rating,
        carbonRating: rated.carbon.rating,
        co2eMg: rated.carbon.co2eMg,
        carbonDataSource: rated.carbon.source,
      },
    ];
  });
}

function factsOf(item: ItemFacts): ItemFacts {
  const { id, externalId, name, cleanedName, imageUrl, quantity, amountMinor, matchedName } = item;
  return { id, externalId, name, cleanedName, imageUrl, quantity, amountMinor, matchedName };
}

function ratingsOf(item: RecordItem, { confidence, kind }: AwardItem) {
  const { healthRating, carbonRating, co2eMg, carbonDataSource } = item;
  const plainWater = kind === "ignored";
  return { exclusionReason: null, confidence, plainWater, healthRating, carbonRating, co2eMg, carbonDataSource };
}
