/** Runs a bounded number of tasks at once, in order of arrival. */
export interface Semaphore {
  /** Runs a task as soon as there is room for it. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** Creates a semaphore that runs at most `limit` tasks at once. */
export function createSemaphore(limit: number): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(task) {
      // A task that ends passes its place to the next one, so `running` stays the same and no newer task overtakes.
      if (running < limit) running++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
