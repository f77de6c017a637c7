import type { MerchantKind } from "./merchants.ts";

/** Words of a restaurant that are never goods, so that they count on every row; `coperto` is printed among the goods. */
const SERVED = /\b(?:covers?|waiter|dine in|take ?away|gratuity|coperto|couvert|kellner|comensales)\b/i;
const RESTAURANT = /\b(?:restaurante?|restoran|ristorante|cafe|bistro|pizzeria|table|server|kitchen|tisch|mesa)\b/i;
const ONLINE = /\b(?:order confirmation|delivery address|order number|delivery fee)\b/i;
const GROCERY =
  /\b(?:super\s?market|supermercado|supermercato|supermarche|mini ?market|pasar (?:raya|mini)|hypermarket|grocer\w*|cash & carry|lebensmittel|alimentation|mart)\b/i;

/**
 * Returns the kind of shop that the words of a receipt suggest. Most words count only on rows outside its list
 * (`start` to before `end`): coffee (`CAFE MOLIDO`) and kitchen rolls are sold in shops.
 */
export function shopKindIn(texts: readonly string[], { start, end }: { start: number; end: number }): MerchantKind {
  const outside = [...texts.slice(0, start), ...texts.slice(end)].join("\n");
  if (SERVED.test(texts.join("\n")) || RESTAURANT.test(outside)) return "restaurant";
  if (ONLINE.test(outside)) return "online";
  return GROCERY.test(outside) ? "grocery" : "other";
}
