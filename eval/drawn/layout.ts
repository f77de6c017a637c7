import type { Paper } from "./paper.ts";
import type { Random } from "./random.ts";
import type { Truth } from "./sale.ts";

/** How one kind of shop prints: a random receipt in its habit, with what it truly says. */
export type Layout = (random: Random) => { paper: Paper; truth: Truth };
