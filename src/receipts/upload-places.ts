import { createHolders } from "../holders.ts";
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
  const held = createHolders();
  return {
    take: (applicationId, source) => {
      const free = total - held.of("all");
      const hosted = `hosted pages of ${applicationId}`;
      const isHosted = source === "hosted_page";
      if (held.of(applicationId) >= free || (isHosted && 2 * held.of(hosted) >= free)) return null;
      return held.take("all", applicationId, ...(isHosted ? [hosted] : []));
    },
  };
}
