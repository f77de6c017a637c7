import { editDistance } from "./edit-distance.ts";

/**
 * Returns the candidate closest to a mistyped word; null where none is close. A longer word's beginning is close too.
 */
export function closestWord(word: string, candidates: readonly string[]): string | null {
  const distanceMax = Math.max(1, Math.floor(word.length / 3));
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= distanceMax || (word.length > 4 && candidate.startsWith(word)))
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate ?? null;
}
