import type { FileStore } from "./files.ts";
import { createSemaphore } from "./queue/semaphore.ts";

/** Removals at once: of a store on other machines each takes its time. */
const REMOVALS_AT_ONCE = 8;

/**
 * Removes stored images, and calls `onRemoved` after each. When the time is over, or one cannot be removed, it begins
 * no other, and waits for those that it has begun. Throws what the first one threw.
 */
export async function removeImages(
  files: Pick<FileStore, "remove">,
  keys: readonly string[],
  { onRemoved, isTimeOver }: { onRemoved: () => void; isTimeOver?: (() => boolean) | undefined },
): Promise<void> {
  const places = createSemaphore(REMOVALS_AT_ONCE);
  const failures: unknown[] = [];
  const removeOne = async (key: string): Promise<void> => {
    if (failures.length > 0 || isTimeOver?.()) return;
    try {
      await files.remove(key);
      onRemoved();
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(keys.map((key) => places.run(() => removeOne(key))));
  if (failures.length > 0) throw failures[0];
}
