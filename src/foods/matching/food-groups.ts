// Groups of the catalogue by their part in a name: what a thing is, or what it tastes of.

const groups = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Groups that name what something tastes of, sweet or any. */
export const FLAVOURS = groups("fruit fruit-preserved vegetable nut herb-spice sweetener");
/** Groups that name what something savoury tastes of, beside `FLAVOURS`. */
export const SAVOURY_FLAVOURS = groups(
  "cheese cream egg fish meat-beef meat-lamb meat-pork meat-poultry meat-processed milk sauce sweet",
);
/** Groups that dishes and products are made of. */
export const INGREDIENTS: ReadonlySet<string> = new Set([
  ...FLAVOURS,
  ...groups("cheese cream egg fish grain legume meat-beef meat-lamb meat-pork meat-poultry potato"),
]);
/** Groups whose foods are sold in flavours. */
export const FLAVOURED = groups("snack sweet ready-meal sauce biscuit baby-food cake breakfast drink yogurt");
/** Groups that say what a thing is. */
export const FORMS = groups(
  "baby-food biscuit bread breakfast cake cheese drink meat-processed ready-meal sauce snack soup sweet yogurt",
);
/** Groups whose flavour tills print last (`MILCHREIS ZIMT`); `TASTES` are the groups of those flavours. */
export const CARRIERS = groups("breakfast cake cream drink milk plant-drink sauce snack sweet yogurt");
export const TASTES: ReadonlySet<string> = new Set([...FLAVOURS, "sweet"]);
/** Groups of whole dishes. */
export const DISHES: ReadonlySet<string> = new Set([...FORMS].filter((group) => !INGREDIENTS.has(group)));
