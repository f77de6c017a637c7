import type { Readable } from "node:stream";

const TIMEOUT_MS = 10_000;

/**
 * Fetches an image and returns its body; null for a status other than 200, a redirect, or a network error. The timeout
 * is for the whole exchange: a body that is not complete by then breaks off.
 */
export async function fetchImage(url: string, timeoutMs = TIMEOUT_MS): Promise<Readable | null> {
  try {
    const { request } = await import("undici"); // see http-sender.ts
    const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (statusCode === 200) return body;
    await body.dump();
    return null;
  } catch {
    return null;
  }
}
