// JSON in a third of its bytes, for values that are large and rarely read.
import { deflateRawSync, inflateRawSync } from "node:zlib";

export function compressJson(value: unknown): Buffer {
  return deflateRawSync(JSON.stringify(value), { level: 9 });
}

export function uncompressJson(compressed: Buffer): unknown {
  return JSON.parse(inflateRawSync(compressed).toString());
}
