import type { Readable } from "node:stream";
import { request } from "undici";

const TIMEOUT_MS = 10_000;

/**
 * The body of an address that answers 200 by itself; null for any other answer, a redirect or a error of the network. Nothing
 * of it takes longer than `timeoutMs` in all: a body that is not over by then breaks off.
 */
export async function fetchImage(url: string, timeoutMs = TIMEOUT_MS): Promise<Readable | null> {
  try {
    const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (statusCode === 200) return body;
    await body.dump();
    return null;
  } catch {
    return null;
  }
}
