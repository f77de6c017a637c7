import type { Tx } from "../postgres/postgres.ts";
import { FOLDED_MAX, foldFigures } from "./fold.store.ts";

/** Adds up all differences there are. */
export async function foldAll(tx: Tx, shops: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await foldFigures(tx, shops)) === FOLDED_MAX);
}
