/** A personal value in what a service wrote. */
export interface Finding {
  /** The member or header that held it. */
  readonly name: string;
  readonly value: string;
  readonly line: string;
}

/** Shorter values are in other words. */
export const LENGTH_MIN = 6;

/**
 * Creates a search for values in lines, in any letter case. `values`: of each the name of what held it. One that is
 * among the product's own words, or shorter than six letters, is not looked for: any line may have it.
 */
export function createSearch(
  values: ReadonlyMap<string, string>,
  productWords: string,
): { readonly count: number; findingsIn(line: string): Finding[] } {
  const words = productWords.toLowerCase();
  const byBeginning = new Map<string, { name: string; value: string }[]>();
  let count = 0;
  for (const [value, name] of values) {
    const folded = value.trim().toLowerCase();
    if (folded.length < LENGTH_MIN || words.includes(folded)) continue;
    count += 1;
    const beginning = folded.slice(0, LENGTH_MIN);
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), { name, value: folded }]);
  }
  return {
    count,
    findingsIn: (line) => {
      const folded = line.toLowerCase();
      const findings: Finding[] = [];
      for (let at = 0; at + LENGTH_MIN <= folded.length; at += 1) {
        for (const { name, value } of byBeginning.get(folded.slice(at, at + LENGTH_MIN)) ?? [])
          if (folded.startsWith(value, at)) findings.push({ name, value, line });
      }
      return findings;
    },
  };
}
