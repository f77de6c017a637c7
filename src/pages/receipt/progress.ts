import { CORRECTABLE_ERRORS } from "../../receipts/corrections/correction.ts";

/** The stages of a receipt in order, with the names of the status document. */
export const STAGES = ["Uploaded", "Extracted", "Enriched", "Validated", "Scored"] as const;
export type Stage = (typeof STAGES)[number];

/** The part of a receipt's status document that the progress page shows; an unfinished stage is absent. */
export interface ReceiptStatus {
  /** The last finished stage, `Completed` or `Failed`. */
  readonly status: string;
  readonly errorCode: string | null;
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
  /** As in the status document. */
  readonly status: string;
  readonly state: "running" | "Completed" | "Failed";
  readonly finishedStages: readonly Stage[];
  readonly merchant: string | null;
  readonly total: { readonly amount: number; readonly currency: string | null } | null;
  /** Day of the purchase, `YYYY-MM-DD`. */
  readonly date: string | null;
  readonly items: readonly FoundItem[];
  /** Names of items that earn nothing. */
  readonly withoutPoints: readonly string[];
  readonly points: number | null;
  readonly errorCode: string | null;
  /** The person may report what is wrong: a correction could change the outcome. */
  readonly isDisputable: boolean;
}

/** Creates the progress from a status document, with the best data so far. */
export function progressOf(status: ReceiptStatus): Progress {
  const { receiptStatusDoc: doc } = status;
  const extracted = doc.extractedStateData?.extractedData;
  const scored = doc.scoredStateData;
  const finished: Record<Stage, object | undefined> = {
    Uploaded: doc.uploadStateData,
    Extracted: doc.extractedStateData,
    Enriched: doc.enrichStateData,
    Validated: doc.validatedStateData,
    Scored: doc.scoredStateData,
  };
  const total = extracted?.total ?? null;
  return {
    status: status.status,
    state: status.status === "Completed" || status.status === "Failed" ? status.status : "running",
    finishedStages: STAGES.filter((stage) => finished[stage] !== undefined),
    merchant: doc.enrichStateData?.businessName || extracted?.merchantName || null,
    total: total === null ? null : { amount: total, currency: extracted?.currency ?? null },
    date: extracted?.transactionDate ?? null,
    items: scored
      ? scored.items.map((item) => ({
          name: item.name,
          health: gradeLetter(item.healthImpactRating),
          climate: gradeLetter(item.carbonImpactRating),
          points: item.totalServicePoints,
        }))
      : (extracted?.items ?? [])
          .filter((item) => item.category === null)
          .map((item) => ({ name: item.description, health: null, climate: null, points: null })),
    withoutPoints: scored?.excludedItems.map((item) => item.name) ?? [],
    points: status.status === "Completed" ? (doc.completedStateData?.totalPoints ?? null) : null,
    errorCode: status.errorCode,
    isDisputable: isDisputable(status),
  };
}

/** As for the status of a stored receipt: it is credited, or failed by what was read. */
function isDisputable({ status, errorCode, receiptStatusDoc }: ReceiptStatus): boolean {
  if (!receiptStatusDoc.extractedStateData) return false;
  return status === "Completed" || CORRECTABLE_ERRORS.some((code) => code === errorCode);
}

/** Returns the letter of a rating from 1 (A, best) to 5 (E). */
function gradeLetter(rating: number | null): string | null {
  return rating === null ? null : ("ABCDE"[rating - 1] ?? null);
}
