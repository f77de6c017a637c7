// Which line as read a line of today comes from. Pure. A correction gives the lines that it changes new ids, and leaves
// each where it was; lines that it adds are behind all others.
import { firstId } from "../../points/rescore/rescore.ts";

/** What is compared of a line. */
export interface AnyLine {
  readonly id: string;
  readonly name: string;
  readonly amountMinor: number;
}

/** Returns the index of the line as read for each line of today; null: a person added it, or that is not known. */
export function originsOf(read: readonly AnyLine[], today: readonly AnyLine[]): (number | null)[] {
  const indexById = new Map(read.map(({ id }, index) => [id, index]));
  const origins: (number | null)[] = today.map(({ id }) => indexById.get(firstId(id)) ?? null);
  let [from, readFrom] = [0, 0];
  for (let at = 0; at <= today.length; at += 1) {
    const anchor = at === today.length ? read.length : origins[at]!;
    if (anchor === null) continue;
    fillGap(origins, { read, today, from, until: at, readFrom, readUntil: anchor });
    [from, readFrom] = [at + 1, anchor + 1];
  }
  return origins;
}

interface Gap {
  readonly read: readonly AnyLine[];
  readonly today: readonly AnyLine[];
  readonly from: number;
  readonly until: number;
  readonly readFrom: number;
  readonly readUntil: number;
}

/** Pairs the changed lines between two unchanged ones: in their order, else those with a name or price in common. */
function fillGap(origins: (number | null)[], { read, today, from, until, readFrom, readUntil }: Gap): void {
  const isSameNumber = until - from === readUntil - readFrom;
  let next = readFrom;
  for (let at = from; at < until; at += 1) {
    const line = today[at]!;
    const isAlike = ({ name, amountMinor }: AnyLine) => name === line.name || amountMinor === line.amountMinor;
    const found = isSameNumber ? next : read.slice(0, readUntil).findIndex((each, i) => i >= next && isAlike(each));
    if (found === -1) continue;
    origins[at] = found;
    next = found + 1;
  }
}
