/** Sleep that can be cut short. */
export interface WakeableSleep {
  /** Ends the sleep; when nobody sleeps, the next sleep ends at once, so that no ring is lost. */
  wake(): void;
  /** Resolves after `ms` or at the first ring since the last sleep. One sleeper at a time. */
  sleep(ms: number): Promise<void>;
}

/** Makes an alarm that has not rung. */
export function createWakeableSleep(): WakeableSleep {
  let hasRung = false;
  let wakeUp: (() => void) | undefined;
  return {
    wake() {
      hasRung = true;
      wakeUp?.();
    },
    async sleep(ms) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      hasRung = false;
    },
  };
}
