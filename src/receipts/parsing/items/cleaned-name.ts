/** What packs are measured in; stands beside the name, not in it. */
const SIZE =
  /(?<![\p{L}\d])\d+(?:\s?[x×]\s?\d+)?(?:[.,]\d+)?\s?(?:kg|g|gr|gm|mg|ml|cl|dl|l|lt|ltr|oz|lb|lbs|pt|pcs?|pk|pack|stk|st|er|'?s|ct|mm|cm)(?![\p{L}\d])/giu;
const PERCENT = /\d+(?:[.,]\d+)?\s?%/g;

/**
 * A name fit for matching and for showing: the printed one without pack sizes, percentages and marks, in lower case but for its first letter.
 * `GARDENIA SOMMERSET COTTAGE 300G` → `Gardenia sommerset cottage`. Falls back on the printed name where nothing would be left.
 */
export function cleanedName(description: string): string {
  const bare = description
    .replace(SIZE, " ")
    .replace(PERCENT, " ")
    .replace(/[^\p{L}\p{N}&'./%-]+/gu, " ")
    .replace(/(?<=\p{L})[./](?=\s|$)/gu, " ")
    .replace(/(?<=\p{L})[./](?=\p{L}{2})/gu, " ")
    .replace(/(?<![\p{L}\p{N}])[-./'&](?![\p{L}\p{N}])/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
  const name = bare.length >= 2 ? bare : description.trim();
  return name.charAt(0).toUpperCase() + name.slice(1);
}
