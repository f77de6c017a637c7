import { StorageUnavailable } from "../storage-failures.ts";

/** Messages of pg for a lost connection that have no error code. The second one comes with the next query after it. */
const LOST_CONNECTION =
  /connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/i;

/**
 * Returns whether an error means that PostgreSQL cannot be reached, is starting or is stopping, that a lock was not
 * released in time (55P03), that a statement was cancelled at its time limit (57014), or that the store of images is
 * away.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof StorageUnavailable) return true;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (
    typeof code === "string" &&
    /^(08|57014|57P0|53|55P03|25006|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ENOENT|EPIPE|ETIMEDOUT)/.test(code)
  ) {
    return true;
  }
  return typeof message === "string" && LOST_CONNECTION.test(message);
}
