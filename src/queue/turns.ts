/** Runs work by turns: at most one at a time for each key. */
export interface Turns {
  /** Runs `work` in its turn. Returns null, and does not run it, if its turn would not come soon. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result | null>;
}

/** Creates turns: of each key at most `waitingMax` wait, each at most `waitMsMax`. */
export function createTurns({ waitingMax, waitMsMax }: { waitingMax: number; waitMsMax: number }): Turns {
  const waitingOf = new Map<string, (() => void)[]>();

  const take = (key: string): Promise<boolean> => {
    const waiting = waitingOf.get(key);
    if (!waiting) {
      waitingOf.set(key, []);
      return Promise.resolve(true);
    }
    if (waiting.length >= waitingMax) return Promise.resolve(false);
    return new Promise((resolve) => {
      const start = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        resolve(false);
      }, waitMsMax);
      waiting.push(start);
    });
  };

  const pass = (key: string): void => {
    const next = waitingOf.get(key)?.shift();
    if (next) next();
    else waitingOf.delete(key);
  };

  return {
    run: async (key, work) => {
      if (!(await take(key))) return null;
      try {
        return await work();
      } finally {
        pass(key);
      }
    },
  };
}
