import { plainLetters } from "../languages/plain-letters.ts";
import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import type { MerchantKind } from "./merchant-dictionary.ts";

/**
 * Words of a restaurant that are never goods, so that they count on every row; `coperto` is printed among the goods.
 */
const SERVED = new RegExp(anyWordOf(wordsOf("restaurantAnywhere")), "i");
const RESTAURANT = new RegExp(anyWordOf(wordsOf("restaurants")), "i");
const ONLINE = new RegExp(anyWordOf(wordsOf("online")), "i");
const GROCERY = new RegExp(anyWordOf(wordsOf("groceries")), "i");

/**
 * Returns the kind of shop that the words of a receipt suggest. Most words count only on rows outside its list
 * (`start` to before `end`): coffee (`CAFE MOLIDO`) and kitchen rolls are sold in shops.
 */
export function shopKindIn(texts: readonly string[], { start, end }: { start: number; end: number }): MerchantKind {
  const outside = plainLetters([...texts.slice(0, start), ...texts.slice(end)].join("\n"));
  if (SERVED.test(plainLetters(texts.join("\n"))) || RESTAURANT.test(outside)) return "restaurant";
  if (ONLINE.test(outside)) return "online";
  return GROCERY.test(outside) ? "grocery" : "other";
}
