import type { Catalogue, Food } from "../catalogue/catalogue.ts";
import { contentWords } from "./words.ts";

/** Words that say that a food is raw; `COOKED_WORDS` say that it is cooked. */
const RAW_WORDS = new Set(
  "raw dry dried uncooked fresh roh trocken getrocknet ungekocht cru crue crus crues secs sec crudo cruda seco secos secas crude crudi secco secca secchi secche".split(
    " ",
  ),
);
const COOKED_WORDS = new Set(
  (
    "cooked boiled roast roasted grilled fried steamed baked braised poached seared sauteed stewed barbecued charred chargrilled griddled prepared leftover " +
    "gekocht gekochte gekochter gekochtes gekochten gebraten gebratene gebratener gebratenes gegart gegrillt gegrillte gegrillter gegrilltes gebacken gebackene gebackener gedunstet gedunstete gedunsteter geschmort geschmorte pochiert pochierter " +
    "cuit cuite cuits cuites roti rotie rotis roties grille grillee grilles grillees poele poelee poeles poelees poche pochee poches vapeur braise braisee saute sautee sautes sautees bouilli bouillie " +
    "cocido cocida cocidos cocidas asado asada asados asadas hervido hervida frito frita fritos fritas salteado salteada plancha horno vapor " +
    "cotto cotta cotti cotte bollito bollita bolliti bollite lesso lessa lessi lesse lessato lessata lessati lessate grigliato grigliata grigliati grigliate griglia piastra forno arrosto fritto fritta fritti fritte saltato saltata saltati saltate stufato brasato padella vapore"
  ).split(" "),
);

/** True where a name says raw or cooked. */
export function mentionsState(name: string): boolean {
  return contentWords(name).some((word) => RAW_WORDS.has(word) || COOKED_WORDS.has(word));
}

/**
 * Returns the cooked form of a food where people who log a meal mean it: they say so (`poached salmon`), or it is
 * rice, pasta or lentils and they leave it open. Null where they mean the food itself.
 */
export function cookedFormOf(food: Food, name: string, catalogue: Catalogue): Food | null {
  const cooked = catalogue.cookedOf.get(food.id);
  if (!cooked) return null;
  const words = contentWords(name);
  if (words.some((word) => RAW_WORDS.has(word))) return null;
  return (isStaple(food) && !RECIPE_AMOUNT.test(name)) || words.some((word) => COOKED_WORDS.has(word)) ? cooked : null;
}

/**
 * A name with its own amount is a line of a recipe (`320 g di spaghetti`), and recipes weigh rice and pasta dry: so it
 * is in five of six such names of the evaluation that may be read.
 */
const RECIPE_AMOUNT = /^\s*[\d¼½¾][\d.,/]*\s?(?:g|gr|kg|oz|lbs?|cups?|tasses?|tazas?|tazze?)(?![\p{L}])/iu;

/** Dry foods that weigh two to three times as much when eaten. */
function isStaple(food: Food): boolean {
  return food.state === "raw" && (food.group === "grain" || food.group === "legume");
}
