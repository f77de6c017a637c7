/** Parses headers as OTEL_EXPORTER_OTLP_HEADERS has them; null: the text is no list of headers. */
export function parseHeaders(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const entry of text.split(",").filter((part) => part.trim() !== "")) {
    const [, name, encoded] =
      /^\s*([\w!#$%&'*+.^`|~-]+)=((?:[\x20-\x24\x26-\x7e]|%[0-9a-fA-F]{2})*)$/.exec(entry) ?? [];
    if (name === undefined || encoded === undefined) return null;
    const value = decodedOrNull(encoded.trim());
    if (value === null || !/^[\x20-\x7e]*$/.test(value)) return null;
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function decodedOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
