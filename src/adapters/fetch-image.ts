import type { Readable } from "node:stream";
import { request } from "undici";

const TIMEOUT_MS = 10_000;

/** The body of an address that answers 200 by itself; null for any other answer, a redirect or a fault of the network. */
export async function fetchImage(url: string): Promise<Readable | null> {
  try {
    const { statusCode, body } = await request(url, { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
    if (statusCode === 200) return body;
    await body.dump();
    return null;
  } catch {
    return null;
  }
}
