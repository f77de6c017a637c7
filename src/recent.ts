/**
 * Creates a memory of results by a text: those of the `max` texts that were asked for last. The results must depend on
 * the text alone.
 */
export function createRecent<Result>(max: number): (text: string, compute: () => Result) => Result {
  const results = new Map<string, { readonly result: Result }>();
  return (text, compute) => {
    const known = results.get(text);
    const entry = known ?? { result: compute() };
    // A Map is in the order of insertion: the first is the one that was not asked for longest.
    if (known) results.delete(text);
    results.set(text, entry);
    if (results.size > max) results.delete(results.keys().next().value!);
    return entry.result;
  };
}
