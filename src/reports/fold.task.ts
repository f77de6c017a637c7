import type { Meters } from "../meters.ts";
import type { Database } from "../postgres/postgres.ts";
import { countFigures } from "./figures/counted.ts";
import { FOLDED_MAX, foldFigures } from "./fold.store.ts";

/** Counts figures for the metrics, those of the day `since` and later. */
export interface Counting {
  readonly meters: Meters;
  readonly since: string;
}

/** Adds up all differences there are. `counting` gets each once, in the process that adds it up. */
export async function foldAll(
  database: Pick<Database, "tx">,
  shops: ReadonlySet<string>,
  signal: AbortSignal,
  counting: Counting | null = null,
): Promise<void> {
  while (!signal.aborted) {
    const { folded, counted } = await database.tx((tx) => foldFigures(tx, shops, counting?.since ?? null));
    if (counting) countFigures(counting.meters, counted);
    if (folded < FOLDED_MAX) return;
  }
}
