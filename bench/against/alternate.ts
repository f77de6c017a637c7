import { startSubject } from "../subject.ts";
import type { Subject } from "../subject.ts";
import type { Progress } from "../progress.ts";
import type { Measurement, Rounds } from "./measurement.ts";
import type { Pair, Sample } from "./rounds.ts";

interface Side {
  readonly label: string;
  readonly subject: Subject;
  readonly rounds: Rounds;
}

/** The outcome of a measurement; `missing`: why the other tree has no figures. */
export interface Alternated {
  readonly pairs: readonly Pair[];
  readonly missing: string | null;
}

/**
 * Starts the services of both trees, and lets them take turns: this tree first in one round, the other in the next.
 * What the other tree cannot do is no error.
 */
export async function alternate(
  name: string,
  measurement: Measurement,
  { there, progress, signal }: { there: { root: string; label: string }; progress: Progress; signal: AbortSignal },
): Promise<Alternated> {
  signal.throwIfAborted();
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close().catch(() => {});
  };
  // At once: a round may take minutes. Without its service it fails.
  const closing = new Promise<void>((closed) => {
    signal.addEventListener("abort", () => void closeAll().finally(closed), { once: true });
  });
  const begin = async (label: string, root?: string): Promise<Side> => {
    progress(`${name}: starting the service of ${label}`);
    const starting = startSubject(measurement.role, root === undefined ? {} : { root });
    // No process may stay behind, not even one that is only starting.
    closers.push(async () => (await starting).close());
    const subject = await starting;
    signal.throwIfAborted();
    const rounds = await measurement.begin(subject, progress);
    closers.push(rounds.close);
    return { label, subject, rounds };
  };
  const take = async ({ label, rounds }: Side, n: number): Promise<Sample[]> => {
    signal.throwIfAborted();
    progress(`${name}: round ${n} of ${measurement.rounds}, ${label}`);
    return rounds.round(n);
  };
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result | Missing> =>
    work().catch((error: unknown) => {
      if (signal.aborted) throw error;
      return new Missing(error instanceof Error ? error.message : String(error));
    });

  const pairs: Pair[] = [];
  try {
    const here = await begin("this tree");
    const other = await attempt(() => begin(there.label, there.root));
    if (other instanceof Missing) return { pairs, missing: other.reason };
    // Round 0 warms up, unless it is the only one.
    for (let n = 0; n <= measurement.rounds; n++) {
      const early = n % 2 === 1 ? await attempt(() => take(other, n)) : null;
      const ours = await take(here, n);
      const theirs = early ?? (await attempt(() => take(other, n)));
      if (theirs instanceof Missing) return { pairs, missing: theirs.reason };
      if (n > 0 || measurement.rounds === 0) pairs.push({ here: ours, there: theirs });
    }
    return { pairs, missing: null };
  } finally {
    if (signal.aborted) await closing;
    // Also what was started meanwhile.
    await closeAll();
  }
}

/** The other tree could not do something. */
class Missing {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}
