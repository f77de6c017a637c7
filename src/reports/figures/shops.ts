// Shops are counted by name only where they are chains of the dictionary: a name that was read wrong, or typed, is no
// shop of a report, and there would be any number of them.

/** Names of figures of shops: `shop.receipts.Tesco`; without a name: all others together. */
export const SHOP_FIGURE = /^(shop\.[a-z0-9]+\.)(.*)$/s;

/** Returns the figure that an amount is added to: that of all other shops in place of one that is not known. */
export function knownShopOnly(figure: string, shops: ReadonlySet<string>): string {
  if (!figure.startsWith("shop.")) return figure;
  const [, kind, name] = SHOP_FIGURE.exec(figure) ?? [];
  return kind === undefined || name === undefined || shops.has(name) ? figure : kind;
}
