/** Does the work, then closes, also when it fails or is interrupted: no process and no folder stays behind. */
export async function closing<T>(close: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const end = (): void => void close().finally(() => process.exit(130));
  process.once("SIGINT", end).once("SIGTERM", end);
  try {
    return await work();
  } finally {
    process.off("SIGINT", end).off("SIGTERM", end);
    await close();
  }
}
