// The reading of a receipt as people compare it with its picture. Pure.
import { gradeOf } from "../../foods/rating/nutri-score.ts";
import { fromMinor } from "../../points/money.ts";
import type { ScoredLine } from "../../points/scored-line.ts";
import { currentLines } from "../corrections/current.ts";
import { unitOf } from "../corrections/correction.ts";
import type { StoredCorrection } from "../corrections/store.ts";
import { shownReceipt } from "../disputing/shown.ts";
import { ASSUMED_CURRENCY, lineId } from "../enrichment.ts";
import type { Findings } from "../findings.ts";
import type { ReceiptReading } from "../parsing/parse.ts";
import { photosOf } from "../parts/parted-page.ts";
import type { PartedPage } from "../parts/parted-page.ts";
import type { PartPlace, PartPlaces } from "../parts/part-places.ts";
import type { Receipt } from "../receipt.ts";
import { originsOf } from "./origins.ts";
import type { ReceiptPlaces } from "./schema.ts";

/** What is known of a receipt. `page` is null if its text was removed, or it was not read. */
export interface Known {
  readonly receipt: Receipt;
  readonly findings: Findings;
  readonly corrections: readonly StoredCorrection[];
  readonly page: PartedPage | null;
  readonly places: PartPlaces | null;
  readonly similarTo: string | null;
}

const NO_PLACES: PartPlaces = { merchantName: [], date: [], total: [], lines: [] };

/** Returns the reading of a receipt with its places. */
export function presentReading({ receipt, findings, corrections, page, places, similarTo }: Known): ReceiptPlaces {
  const reading = findings.Extracted?.data.reading ?? null;
  const shown = shownReceipt(receipt.id, findings, corrections);
  const currency = shown.currency ?? ASSUMED_CURRENCY;
  const pointsById = new Map(shown.lines.map(({ id, points }) => [id, points]));
  const printed = reading ? readLines(receipt.id, reading) : [];
  const current = currentLines(findings, corrections);
  const today: readonly (ScoredLine | ReadLine)[] = current.length > 0 ? current : printed;
  const origins = originsOf(printed, today);
  const found = places ?? NO_PLACES;
  // Another release may have read other lines.
  const placesOfLines = found.lines.length === printed.length ? found.lines : [];
  const pictures = page ? photosOf(page).map(({ width, height, rotation }) => ({ width, height, rotation })) : [];
  return {
    receiptID: receipt.id,
    picture: pictures[0] ?? null,
    pictures,
    merchantName: shown.merchantName,
    date: shown.date,
    time: shown.time,
    totalAmount: shown.total,
    currency: shown.currency,
    accuracy: reading?.accuracy ?? null,
    fields: reading ? fieldsOf(reading, found) : [],
    lines: today.map((line, i) => {
      const origin = origins[i] ?? null;
      const read = origin === null ? null : printed[origin]!;
      return {
        ...lineToday(line, currency),
        printed: read?.name ?? null,
        accuracy: read?.accuracy ?? null,
        points: pointsById.get(line.id) ?? null,
        ...placesAndParts(origin === null ? [] : (placesOfLines[origin] ?? [])),
      };
    }),
    similarReceiptID: similarTo,
  };
}

/** A line as read, of a receipt whose lines were not matched. */
interface ReadLine {
  readonly id: string;
  readonly name: string;
  readonly quantity: number;
  readonly unit: "piece" | "kg" | "l";
  readonly amountMinor: number;
  readonly accuracy: number;
}

function readLines(receiptId: string, { lines }: ReceiptReading): ReadLine[] {
  return lines.map(({ description, quantity, unit, amountMinor, accuracy }, i) => ({
    id: lineId(receiptId, i),
    name: description,
    quantity,
    unit: unit === "kg" || unit === "l" ? unit : "piece",
    amountMinor,
    accuracy,
  }));
}

function lineToday(line: ScoredLine | ReadLine, currency: string) {
  const { id, name, quantity, amountMinor } = line;
  const facts = { id, name, quantity, totalPrice: fromMinor(amountMinor, currency) };
  if (!("matchedName" in line)) {
    const nothing = { exclusionReason: null, healthGrade: null, carbonGrade: null } as const;
    return { ...facts, unit: line.unit, matchedIngredientName: "", confidence: 0, ...nothing };
  }
  const { matchedName: matchedIngredientName, exclusionReason } = line;
  const matched = { ...facts, unit: unitOf(line), matchedIngredientName, exclusionReason };
  if (line.exclusionReason !== null) return { ...matched, confidence: 0, healthGrade: null, carbonGrade: null };
  const [healthGrade, carbonGrade] = [gradeOf(line.healthRating), gradeOf(line.carbonRating)];
  return { ...matched, confidence: line.confidence, healthGrade, carbonGrade };
}

function placesAndParts(found: readonly PartPlace[]) {
  return { places: found.map(({ place }) => [...place]), parts: found.map(({ part }) => part) };
}

function fieldsOf(reading: ReceiptReading, places: PartPlaces): ReceiptPlaces["fields"] {
  const { merchantName, date, totalMinor, currency, fieldAccuracy } = reading;
  const total = totalMinor === null ? null : String(fromMinor(totalMinor, currency ?? ASSUMED_CURRENCY));
  const printed = { merchantName, date, total };
  return (["merchantName", "date", "total"] as const).map((name) => ({
    name,
    printed: printed[name],
    accuracy: fieldAccuracy[name],
    ...placesAndParts(places[name]),
  }));
}
