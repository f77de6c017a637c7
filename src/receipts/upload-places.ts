import type { ReceiptSource } from "./receipt.ts";

/** The places of uploads whose image the service holds. */
export interface UploadPlaces {
  /** Takes a place; returns the function that frees it, once, or null: the upload has to wait for others. */
  take(applicationId: string, source: ReceiptSource): (() => void) | null;
}

/**
 * Creates `total` places. An application takes one only while it has fewer than are free, so it never has more than
 * half of them: beside one that takes all it can get, another finds half of the places free, a third one a third.
 * Nobody needs credentials for a hosted page, so all its sessions of one application have at most a third of the
 * places: the application's own uploads go on beside them.
 */
export function createUploadPlaces(total: number): UploadPlaces {
  const taken = new Map<string, { all: number; hosted: number }>();
  let free = total;
  return {
    take: (applicationId, source) => {
      const own = taken.get(applicationId) ?? { all: 0, hosted: 0 };
      const isHosted = source === "hosted_page";
      if (own.all >= free || (isHosted && 2 * own.hosted >= free)) return null;
      taken.set(applicationId, own);
      change(own, isHosted, 1);
      free--;
      let isFreed = false;
      return () => {
        if (isFreed) return;
        isFreed = true;
        free++;
        change(own, isHosted, -1);
        if (own.all === 0) taken.delete(applicationId);
      };
    },
  };
}

function change(own: { all: number; hosted: number }, isHosted: boolean, by: 1 | -1): void {
  own.all += by;
  if (isHosted) own.hosted += by;
}
