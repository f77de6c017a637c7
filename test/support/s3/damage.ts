import { closeSync, openSync, readSync, writeSync } from "node:fs";

/** Changes the first byte of a file, and nothing else. */
export function damageFile(path: string): void {
  const file = openSync(path, "r+");
  const first = Buffer.alloc(1);
  readSync(file, first, 0, 1, 0);
  writeSync(file, Buffer.of(first[0]! ^ 0xff), 0, 1, 0);
  closeSync(file);
}
