/**
 * Returns `work` for callers that start at the same time: what they bring is done in one go, and all get its result.
 */
export function together<Item>(
  work: (items: readonly Item[]) => Promise<void>,
): (items: readonly Item[]) => Promise<void> {
  let group: { readonly items: Item[]; readonly done: Promise<void> } | null = null;
  return (items) => {
    if (group === null) {
      const gathered: Item[] = [];
      const start = async (): Promise<void> => {
        await Promise.resolve();
        group = null;
        await work(gathered);
      };
      group = { items: gathered, done: start() };
    }
    group.items.push(...items);
    return group.done;
  };
}
