/** A sleep that can be ended early. For one sleeper at a time. */
export interface WakeableSleep {
  /** Ends the current sleep. Without one, the next sleep ends at once, so that no call is lost. */
  wake(): void;
  /** Resolves after `ms`, or at the first `wake` since the last sleep. */
  sleep(ms: number): Promise<void>;
}

export function createWakeableSleep(): WakeableSleep {
  let isWoken = false;
  let endSleep: (() => void) | undefined;
  return {
    wake() {
      isWoken = true;
      endSleep?.();
    },
    async sleep(ms) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          endSleep = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isWoken = false;
    },
  };
}
