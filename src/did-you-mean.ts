/** What was most likely meant by a mistyped word: the nearest by edits; null where none is near. */
export function closestWord(word: string, candidates: readonly string[]): string | null {
  const within = Math.max(1, Math.floor(word.length / 3));
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= within || (word.length > 4 && candidate.startsWith(word)))
    .sort((a, b) => a.edits - b.edits);
  return best?.candidate ?? null;
}

/** Letters to add, drop or exchange to make one word the other (Levenshtein). */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of Array.from(from).entries()) {
    const next = [i + 1];
    for (let j = 1; j <= to.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (to[j - 1] === letter ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length]!;
}
