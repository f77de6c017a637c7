import { isCorrectable } from "../../receipts/corrections/correction.ts";

/** The stages of a receipt in order, with the names of the status document. */
export const STAGES = ["Uploaded", "Extracted", "Enriched", "Validated", "Scored"] as const;
export type Stage = (typeof STAGES)[number];

/** The part of a receipt's status document that the progress page shows; an unfinished stage is absent. */
export interface ReceiptStatus {
  /** The last finished stage, `Completed` or `Failed`. */
  readonly status: string;
  readonly errorCode: string | null;
  /** It waits for a decision of the application. */
  readonly held?: boolean;
  readonly corrections?: readonly {
    readonly before: CorrectedState;
    readonly after: CorrectedState | null;
  }[];
  /** What the award is now, if anything was booked about it later. */
  readonly changedAward?: { readonly points: number; readonly items: readonly RatedItem[] };
  readonly receiptStatusDoc: {
    readonly uploadStateData?: object;
    readonly extractedStateData?: {
      readonly extractedData: {
        readonly merchantName: string | null;
        readonly currency: string | null;
        readonly total: number | null;
        /** `YYYY-MM-DD`. */
        readonly transactionDate: string | null;
        /** A line with a category is a discount, a deposit or the like. */
        readonly items: readonly { readonly description: string; readonly category: string | null }[];
      };
    };
    readonly enrichStateData?: { readonly businessName: string };
    readonly validatedStateData?: object;
    readonly scoredStateData?: {
      readonly items: readonly RatedItem[];
      readonly excludedItems: readonly { readonly name: string }[];
    };
    readonly completedStateData?: { readonly totalPoints: number };
  };
}

interface CorrectedState {
  readonly merchantName: string;
  /** RFC 3339. */
  readonly transactionTimestamp: string;
  readonly totalAmount: number;
  readonly currency: string;
  readonly items: readonly { readonly name: string; readonly exclusionReason: string | null }[];
}

interface RatedItem {
  readonly name: string;
  readonly totalServicePoints: number;
  readonly healthImpactRating: number | null;
  readonly carbonImpactRating: number | null;
}

/** An item of the receipt. Grades are letters; an item without a rating has none. */
export interface FoundItem {
  readonly name: string;
  readonly health: string | null;
  readonly climate: string | null;
  readonly points: number | null;
}

/** The progress that a person sees of their receipt. Money is in major units. */
export interface Progress {
  /** As in the status document, or `Held`. */
  readonly status: string;
  readonly state: "running" | "held" | "Completed" | "Failed";
  readonly finishedStages: readonly Stage[];
  readonly merchant: string | null;
  readonly total: { readonly amount: number; readonly currency: string | null } | null;
  /** Day of the purchase, `YYYY-MM-DD`. */
  readonly date: string | null;
  readonly items: readonly FoundItem[];
  /** Names of items that earn nothing. */
  readonly withoutPoints: readonly string[];
  readonly points: number | null;
  /** The points are not those of the first reading. */
  readonly isChanged: boolean;
  readonly errorCode: string | null;
  /** The person may report what is wrong: a correction could change the outcome. */
  readonly isDisputable: boolean;
}

/** Creates the progress from a status document, with the best data so far. */
export function progressOf(status: ReceiptStatus): Progress {
  const { receiptStatusDoc: doc, changedAward } = status;
  const scored = doc.scoredStateData;
  const rated = changedAward?.items ?? scored?.items;
  const finished: Record<Stage, object | undefined> = {
    Uploaded: doc.uploadStateData,
    Extracted: doc.extractedStateData,
    Enriched: doc.enrichStateData,
    Validated: doc.validatedStateData,
    Scored: doc.scoredStateData,
  };
  const first = doc.completedStateData?.totalPoints ?? null;
  return {
    status: pageStatus(status),
    state: stateOf(status),
    finishedStages: STAGES.filter((stage) => finished[stage] !== undefined),
    ...headOf(status),
    items: rated
      ? rated.map((item) => ({
          name: item.name,
          health: gradeLetter(item.healthImpactRating),
          climate: gradeLetter(item.carbonImpactRating),
          points: item.totalServicePoints,
        }))
      : (doc.extractedStateData?.extractedData.items ?? [])
          .filter((item) => item.category === null)
          .map((item) => ({ name: item.description, health: null, climate: null, points: null })),
    withoutPoints: (
      lastCorrection(status)?.items.filter(({ exclusionReason }) => exclusionReason !== null) ??
      scored?.excludedItems ??
      []
    ).map((item) => item.name),
    points: status.status === "Completed" ? (changedAward?.points ?? first) : null,
    isChanged: changedAward !== undefined,
    errorCode: status.errorCode,
    isDisputable: isCorrectable(status.status, status.errorCode, doc.extractedStateData),
  };
}

/** The status as the page and its script compare it: a receipt that is held keeps its stage. */
export function pageStatus({ status, held }: Pick<ReceiptStatus, "status" | "held">): string {
  return held ? "Held" : status;
}

/** Whether the page shows all that is to come without a decision of a person. */
export function isSettled(status: Pick<ReceiptStatus, "status" | "held">): boolean {
  return stateOf(status) !== "running";
}

function stateOf({ status, held }: Pick<ReceiptStatus, "status" | "held">): Progress["state"] {
  if (held) return "held";
  return status === "Completed" || status === "Failed" ? status : "running";
}

/** Shop, total and day: as corrected, else as read. */
function headOf(status: ReceiptStatus): Pick<Progress, "merchant" | "total" | "date"> {
  const { extractedStateData, enrichStateData } = status.receiptStatusDoc;
  const extracted = extractedStateData?.extractedData;
  const corrected = lastCorrection(status);
  const date = extracted?.transactionDate ?? null;
  if (corrected) {
    const { merchantName, totalAmount: amount, currency, transactionTimestamp } = corrected;
    const first = status.corrections?.find(({ after }) => after !== null);
    const isMoved = transactionTimestamp !== first?.before.transactionTimestamp;
    const day = isMoved ? transactionTimestamp.slice(0, 10) : date;
    return { merchant: merchantName || null, total: { amount, currency }, date: day };
  }
  const total = extracted?.total ?? null;
  return {
    merchant: enrichStateData?.businessName || extracted?.merchantName || null,
    total: total === null ? null : { amount: total, currency: extracted?.currency ?? null },
    date,
  };
}

/** The receipt after its last correction; null: none, or one before it was credited. */
function lastCorrection({ corrections }: ReceiptStatus): CorrectedState | null {
  return corrections?.findLast(({ after }) => after !== null)?.after ?? null;
}

/** Returns the letter of a rating from 1 (A, best) to 5 (E). */
function gradeLetter(rating: number | null): string | null {
  return rating === null ? null : ("ABCDE"[rating - 1] ?? null);
}
