import type { DraftLine } from "../items/lines.ts";

/** The lines with one correction, and a note that says which. */
export interface Repair {
  lines: DraftLine[];
  note: string;
}
