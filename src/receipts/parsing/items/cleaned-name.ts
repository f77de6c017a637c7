/** The size of a pack. It is not part of the name. */
const SIZE =
  /(?<![\p{L}\d])\d+(?:\s?[x×]\s?\d+)?(?:[.,]\d+)?\s?(?:kg|g|gr|gm|mg|ml|cl|dl|l|lt|ltr|oz|lb|lbs|pt|pcs?|pk|pack|stk|st|er|'?s|ct|mm|cm)(?![\p{L}\d])/giu;
const PERCENT = /\d+(?:[.,]\d+)?\s?%/g;

/**
 * Returns a name for matching and display: the printed one without pack sizes, percentages and marks, in lower case
 * with a capital first letter. `GARDENIA SOMMERSET COTTAGE 300G` → `Gardenia sommerset cottage`. If nothing would be
 * left, it is the printed name.
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
