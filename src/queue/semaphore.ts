/** Lets so many do their work at once; the others wait, and are taken in the order they came. */
export interface Semaphore {
  /** Does the work when it is its turn. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Makes turns for at most so many at once. */
export function createSemaphore(atOnceMax: number): Semaphore {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async run(work) {
      // Who ends hands the turn over, so that nobody comes between.
      if (taken < atOnceMax) taken++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else taken--;
      }
    },
  };
}
