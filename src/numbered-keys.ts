/**
 * Returns the keys of stored files that belong together: the first one is `key`, the others have their number behind
 * its id (files.ts).
 */
export function numberedKeys(key: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => (i === 0 ? key : key.replace(/\.jpg$/, `-${i + 1}.jpg`)));
}
