import { isEligible } from "../catalogue/catalogue.ts";
import type { Food } from "../catalogue/catalogue.ts";
import { fold } from "./words.ts";

/** Says that the thing is made of plants in place of an animal's: `vegan cheddar`, `VGN SAUS`, `steak végétal`. */
const PLANT_WORDS =
  /\b(?:vegan(?:[aeio]s?|er|es|en|em)?|vgn|veggies?|vegi|vege|vegetal(?:[ei]s?|es)?|vegetaux|vegetarian[aeio]?s?|vegetarien(?:ne)?s?|vegetarisch(?:e[rsnm]?)?|pflanzlich(?:e[rsnm]?)?|(?:plant|plt)[ -]?(?:based|bsd)|(?:meat|dairy)[ -]?free|meatless|no[ -]?meat|fleischlos(?:e[rsnm]?)?|ohne fleisch|sans viande|sin carne|senza carne|(?<!(?:&|and|with|w\/|mixed|mxd|baby|frozen|frz) )veg(?!\.? ?(?:oil|soup|lasag|curry|stew|mix|stock|crisp|sticks|box)))\b/;

/** Says that the thing is in an animal's place: `NO CHKN KIEVS`, `LIKE HÄHNCHEN`, `THIS ISN'T BACON`. */
const NO_ANIMAL =
  /\b(?:no|not|isn'?t|mock|faux|like|wie)[ -](?:chi?c?ke?n|beef|bf|pork|bacon|ham|duck|lamb|fish|tuna|turkey|meat(?:balls?)?|sausages?|huhn|hahnchen|haehnchen|haehn|hack|fleisch|schinken|salami|leberwurst|wurst|thunfisch|poulet|boeuf|jambon|thon|pollo)\b/;

/** Groups of animals' foods. Those of them that are made of plants are named. */
const ANIMAL_GROUPS = new Set(
  "meat-beef meat-lamb meat-pork meat-poultry meat-processed fish cheese egg milk cream".split(" "),
);
/** Dishes of meat or fish whose names plant-based ones bear (`vegan lasagne`). */
const ANIMAL_DISHES = new Set(
  "beef-lasagne spaghetti-bolognese bolognese-sauce chilli-con-carne cottage-pie hamburger double-cheeseburger hot-dog kebab steak-pie beef-stew pasta-carbonara chicken-curry ham-pizza pepperoni-pizza chicken-sandwich ham-sandwich fish-burger fish-pie".split(
    " ",
  ),
);
const OF_PLANTS = new Set(["plant-based-cheese", "nut-cream-cheese", "soya-plant-spread", "soya-cream"]);

/** True where a name says that the thing is made of plants. */
export function saysPlantBased(name: string): boolean {
  const folded = fold(name);
  return PLANT_WORDS.test(folded) || NO_ANIMAL.test(folded);
}

/** True for a food of an animal, or a dish of it, that plant-based foods imitate. */
export function isOfAnimals(food: Food): boolean {
  return isEligible(food) && (ANIMAL_GROUPS.has(food.group) || ANIMAL_DISHES.has(food.id)) && !OF_PLANTS.has(food.id);
}

/** True for a food that is bought because it is made of plants: the brand of one makes no cheddar of milk. */
export function isImitation(food: Food): boolean {
  return food.group === "meat-alternative" || OF_PLANTS.has(food.id);
}
