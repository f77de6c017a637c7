// Groups of the catalogue by their part in a name: what a thing is, or what it tastes of.

const groups = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Groups that a sweet or savoury product may taste of: fruit in `strawberry yogurt`, herbs in `basil crisps`. */
export const FLAVOURS = groups("fruit fruit-preserved vegetable nut herb-spice sweetener");
/** More groups that a savoury product may taste of: cheese in `cheese crackers`, poultry in `chicken noodles`. */
export const SAVOURY_FLAVOURS = groups(
  "cheese cream egg fish meat-beef meat-lamb meat-pork meat-poultry meat-processed milk sauce sweet",
);
/** Groups that dishes and products are made of: fish in `fish pie`, grain in `rice pudding`. */
export const INGREDIENTS: ReadonlySet<string> = new Set([
  ...FLAVOURS,
  ...groups("cheese cream egg fish grain legume meat-beef meat-lamb meat-pork meat-poultry potato"),
]);
/** Groups whose foods are sold in flavours: crisps, yogurt, sauces. */
export const FLAVOURED = groups("snack sweet ready-meal sauce biscuit baby-food cake breakfast drink yogurt");
/** Groups whose word names the product itself, not its flavour: biscuit in `lemon biscuit`, soup in `tomato soup`. */
export const FORMS = groups(
  "baby-food biscuit bread breakfast cake cheese drink meat-processed ready-meal sauce snack soup sweet yogurt",
);
/** Groups whose flavour tills print last (`MILCHREIS ZIMT`); `TASTES` are the groups of those flavours. */
export const CARRIERS = groups("breakfast cake cream drink milk plant-drink sauce snack sweet yogurt");
export const TASTES: ReadonlySet<string> = new Set([...FLAVOURS, "sweet"]);
/** Groups of complete products and dishes, which are no ingredient of others: soup, ready meal, cake, biscuit. */
export const DISHES: ReadonlySet<string> = new Set([...FORMS].filter((group) => !INGREDIENTS.has(group)));
