/** Larger responses are refused before they are parsed: those of passkeys have about 1 kB. */
const RESPONSE_LENGTH_MAX = 16 * 1024;

/** Parses what a browser sends of a passkey; null: not JSON, or too large. */
export function parseResponse(text: string | null): unknown {
  if (text === null || text.length > RESPONSE_LENGTH_MAX) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
