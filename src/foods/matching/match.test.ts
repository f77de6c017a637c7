import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isEligible } from "../catalogue/catalogue.ts";
import { matcherOf } from "./match.ts";
import { ACCEPTED_CONFIDENCE } from "./tuning.ts";
import type { NameSource } from "./match.ts";
import { readCatalogue } from "../catalogue/store.ts";

const matcher = matcherOf(readCatalogue());
const best = (name: string, source: NameSource = "receipt") => matcher.match(name, { source })[0];

/** Each name's best food, accepted. */
function assertFoods(source: NameSource, expected: Record<string, string>): void {
  for (const [name, id] of Object.entries(expected)) {
    const found = best(name, source);
    assert.equal(found?.food.id, id, `${name} -> ${found?.food.id}`);
    assert.ok(found?.accepted, `${name} is accepted: ${found?.confidence}`);
  }
}

test("till lines are read through their abbreviations, sizes and brands", () => {
  assertFoods("receipt", {
    "ORG SEMI SKM MLK 2PT": "milk",
    "CHKN THGHS 1KG": "chicken-thigh",
    "F/FNGRS 30PK": "fish-fingers",
    "BRIT CRNCHY PNT BTR 340G": "peanut-butter",
    "SWT RED PEPS 3PK": "red-pepper",
    "FT GRN LNTLS 500G": "dried-lentils",
    "WHLML PITTA 6PK": "pitta-bread",
    "XYZCORP STRWBRY JAM 454G": "strawberry-jam",
  });
});

test("German and French receipts are read too, compounds and split words included", () => {
  assertFoods("receipt", {
    "BIO HEUMILCH VOLLMILCH 3,8% 1L": "whole-milk",
    "RINDERHACKFLEISCH 500g": "beef-mince",
    "Erdbeer Joghurt": "fruit-yogurt",
    "Vollkornbrötchen 6er": "wholemeal-bread",
    "ORANGEN SAFT 1L": "orange-juice",
    "POMMES DE TERRE 2,5KG": "potatoes",
    "FROMAGE BLANC NATURE": "skyr",
    "OEUFS PLEIN AIR X12": "eggs",
    THÉ: "brewed-tea",
  });
});

test("a name is read whole without its share of fat, and without the number of a pasta or a flour", () => {
  assertFoods("receipt", { "TOPFEN 20%": "skyr", "FIDEO N2": "pasta", "FARINE T45": "plain-flour" });
  assert.notEqual(best("7UP MOJITO")?.food.kind, "alcohol");
});

test("Italian receipts are read too, and words with another meaning in other languages keep it there", () => {
  assertFoods("receipt", {
    "LATTE INTERO 1L": "whole-milk",
    "LATTE P.S. UHT": "milk",
    "MOZZ.BUFALA": "mozzarella",
    "PROSC.COTTO AFF.": "cooked-ham",
    "INS.MISTA BUSTA": "mixed-salad-leaves",
    "PETTO POLLO A FETTE": "chicken-breast",
    "UOVA CAT.A X6": "eggs",
    "CAFFE' MACINATO 250G": "ground-coffee",
    "CECI S/LATTOSIO LESSATI": "tinned-chickpeas",
    "TONNO ALL'OLIO DI OLIVA": "tuna-in-oil",
    "ACQUA NAT. 6X1,5L": "water",
    "SALE FINO KG1": "salt",
    "BURRO 250G": "butter",
    "PESCHE GIALLE": "peach",
    "VANILLA LATTE": "latte",
    "TOMATO PASTE": "tomato-puree",
    "LEMON SOLE": "sole",
    "CALDO DE POLLO": "liquid-stock",
  });
  for (const name of ["SUMMER SALE", "DISCOUNT CODE", "BUONO SCONTO", "TOTALE COMPLESSIVO"])
    assert.ok(!best(name)?.accepted, `${name} -> ${best(name)?.food.id} ${best(name)?.confidence}`);
  for (const name of ["SHOPPER BIO", "CARTA IGIENICA 4 ROTOLI", "DETERSIVO PIATTI LIMONE", "CROCCHETTE GATTO TONNO"])
    assert.ok(!isEligible(best(name)!.food), `${name} -> ${best(name)?.food.id}`);
});

test("the head of a name decides: cake is no fruit, milk no chocolate", () => {
  assertFoods("receipt", {
    "milk chocolate": "milk-chocolate",
    "chocolate milk": "chocolate-milk",
    "apple pie": "apple-pie",
    "carrot cake": "carrot-cake",
    "coconut milk drink": "coconut-drink",
    "chickpeas in water": "tinned-chickpeas",
  });
});

test("a plural, an accent, a case or a typing error changes nothing", () => {
  for (const name of ["strawberries", "Strawberry", "STRAWBERRIES", "strawbery", "Erdbeeren", "fraises"]) {
    assert.equal(best(name, "meal")?.food.id, "strawberry", name);
  }
  assertFoods("meal", { "full fat Greek yoghurt plain": "greek-yogurt", "Greek yogurt, plain": "greek-yogurt" });
});

test("people log rice as they eat it and buy it dry, unless the name says which", () => {
  assert.equal(best("rice", "receipt")?.food.id, "rice");
  assert.equal(best("rice", "meal")?.food.id, "cooked-rice");
  // Recipes weigh rice and pasta dry.
  assert.equal(best("320 g di spaghetti", "meal")?.food.id, "pasta");
  assert.equal(best("cooked rice", "receipt")?.food.id, "cooked-rice");
  assert.equal(best("rice, uncooked", "meal")?.food.id, "rice");
  assert.equal(best("chicken breast", "meal")?.food.id, "chicken-breast");
});

test("things that are no food are recognised", () => {
  const kinds: Record<string, string> = {
    "CARRIER BAG": "bag",
    "AA BATTERIES 4PK": "non_food",
    "TOILET ROLL 9PK": "non_food",
    "PFAND 0,25": "deposit",
    "MARLBRO CIGARETTES 20": "tobacco",
    "DRY DOG FOOD 2KG": "pet_food",
    "VITAMIN C TABLETS": "supplement",
    "FIRST INFANT MILK 800G": "infant_formula",
    "PINOT GRIGIO 75CL": "alcohol",
  };
  for (const [name, kind] of Object.entries(kinds)) assert.equal(best(name)?.food.kind, kind, name);
});

test("a brand says what a thing is, unless other words do", () => {
  assertFoods("receipt", {
    "NUTELLA 400G": "chocolate-spread",
    "WALKERS CHS & ON 6PK": "crisps",
    "COKE ZERO 8X330": "diet-cola",
    "HEINZ TOM KETCHUP 460G": "tomato-ketchup",
    "CADBURY HOT CHOC": "drinking-chocolate",
    "WHISKAS CHICKEN 12PK": "cat-food",
    "FAIRY LIQUID 433ML": "washing-up-liquid",
    "GUINNESS 4PK": "beer",
  });
});

test("a word that only things nobody eats are named by decides, also where they smell of food", () => {
  for (const name of ["COCONUT SHAMPOO", "LEMON SHOWER GEL", "ROSE SCENTED CANDLE", "SALMON DOG FOOD"])
    assert.ok(!isEligible(best(name)!.food), `${name} -> ${best(name)?.food.id}`);
});

test("cut words, initials before a slash and short words are read as the words they begin", () => {
  assertFoods("receipt", {
    "HÄHN.BRUSTFILET": "chicken-breast",
    "SCHW.SCHNITZEL": "pork-loin",
    "LAIT ENT 1L": "whole-milk",
    "ORANGENS. 1L": "orange-juice",
    "P/BUTTER 340G": "peanut-butter",
  });
});

test("an unknown name has no candidates, or none that is accepted", () => {
  for (const name of ["SAKUMASHIKIDROP", "809 METAL NAME BADGE CLIP", "Unobtainium flakes of Zorg"]) {
    assert.ok(!best(name)?.accepted, `${name} -> ${best(name)?.food.id} ${best(name)?.confidence}`);
  }
  for (const name of ["", "   ", "12345", "!!!", "的"])
    assert.deepEqual(matcher.match(name, { source: "meal" }), [], name);
});

test("candidates are best first, at most `limit`, their confidence never rising", () => {
  const candidates = matcher.match("tomato soup", { source: "receipt", limit: 3 });
  assert.equal(candidates.length, 3);
  assert.equal(candidates[0]?.food.id, "tomato-soup");
  candidates.forEach(({ confidence, accepted }, place) => {
    assert.ok(confidence <= (candidates[place - 1]?.confidence ?? 1));
    assert.equal(accepted, confidence >= ACCEPTED_CONFIDENCE);
  });
});

test("any text has the same result twice, a confidence of 0..1 and no exception", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (name) => {
      const found = matcher.match(name, { source: "receipt" });
      assert.deepEqual(matcher.match(name, { source: "receipt" }), found);
      assert.ok(found.every(({ confidence }) => confidence >= 0 && confidence <= 1));
    }),
    { numRuns: 200 },
  );
});

test("words beside a brand that does not make such things have a lower confidence", () => {
  for (const name of ["Twix Speculoos", "Pringles Tortilla", "TUC Sandwich"]) {
    assert.ok((best(name)?.confidence ?? 1) < 0.9, name);
  }
  assert.equal(best("7UP MOJITO")?.food.kind, "food");
});

test("a common word does not mean a name that has numbers beside it", () => {
  assert.notEqual(best("SUPER")?.food.id, "fuel");
  assert.equal(best("SUPER E10")?.food.id, "fuel");
});

test("an unknown head makes the known words doubtful: they may be a flavour or an ingredient", () => {
  for (const name of ["Zorgette abricot", "Délice d'amande"]) assert.ok(!best(name)?.accepted, name);
  assert.ok((best("Beef Wollongong", "meal")?.confidence ?? 1) < 0.7);
  // In front of it, where English has brands and kinds, it changes little.
  assert.ok(best("ZORGETTE APRICOTS 500G")!.accepted);
});

test("tools, candles and plants are not the food that they are for or named after", () => {
  for (const name of ["ICE CREAM SCOOP", "PIZZASCHNEIDER", "MOULE A GATEAU", "VELA AROMA LIMON", "KERZE VANILLE"])
    assert.ok(!(best(name)!.accepted && isEligible(best(name)!.food)), `${name} -> ${best(name)?.food.id}`);
});

test("a food in oil or tomato, a smoked food and a flavoured one is still that food", () => {
  assertFoods("receipt", {
    "THUNF. I.SONNENBL.OEL": "tuna-in-oil",
    "HERINGSF. TOMATE": "pickled-herring",
    "ANCHOVY FILLETS IN OLIVE OIL": "anchovies",
    "SMOKED MACKEREL FLTS 250G": "smoked-mackerel",
    "BUTTERMILCH ZITRONE": "buttermilk",
  });
});

test("a salad with its ingredients in its name is a dish, and a logged meal is eaten as it says", () => {
  assertFoods("meal", {
    "salade de lentilles": "lentil-salad",
    "Salade niçoise": "tuna-salad",
    "Fish and chips": "fish-and-chips",
    "poached salmon": "cooked-salmon",
    "courgettes poêlées": "cooked-courgette",
  });
});

test("a drink that says it has no alcohol has none", () => {
  for (const name of [
    "ALC FREE LAGER 4X330",
    "RADLER 0,0% 0,5L",
    "PERONI 0.0",
    "CERVEZA SIN ALCOHOL",
    "BIERE SS ALCOOL",
  ])
    assert.equal(best(name)?.food.id, "alcohol-free-beer", name);
  assert.equal(best("PILS 0,5L")?.food.kind, "alcohol");
  assert.ok(!best("VODKA 0% ALCOHOL FREE")?.accepted);
});

test("a name that means its food only roughly, or another one elsewhere, has a lower confidence", () => {
  for (const name of ["CHIPS", "SCOTCH EGGS", "FRAISE", "ALMOND"]) {
    const { accepted, confidence } = best(name)!;
    assert.ok(accepted && confidence <= 0.7, `${name} ${confidence}`);
  }
  assert.ok(best("FRAISES")!.confidence > 0.7);
});

test("a cut word that foods of several groups begin with means none of them", () => {
  assert.ok(!best("VOLLKORN. 50")?.accepted);
});

test("foods keep words that are also a brand of things", () => {
  assertFoods("receipt", {
    "PIMENTON SUAVE": "paprika",
    "ENS CESAR POLLO": "caesar-salad",
    "GOURMET SOUP TOMATO": "tomato-soup",
    "BURGER GOURMET BOEUF": "hamburger",
    "PATATINE CHILLY": "crisps",
    "SUNGOLD TOMATOES": "cherry-tomato",
    "GRAPES GREEN BAG": "white-grapes",
    "GREEN BAG 15C": "carrier-bag",
    "CHILE MANZANO": "chilli-pepper",
    "ROOT BEER FLOAT": "lemonade",
    "CESAR CHKN": "dog-food",
    "CHILLY DET INTIMO": "shower-gel",
    "SUAVE SHAMP": "shampoo",
  });
});

test("dough is sold by the centimetre, Canadian tins by volume, and a price in rand is no battery", () => {
  assertFoods("receipt", {
    "BLÄTTERTEIG 42X26CM": "puff-pastry",
    "PASTA SFOGLIA 2 ROTOLI": "puff-pastry",
    "MENTOS 4 ROLLEN": "sweets",
    "AVOS 4 FOR R20": "avocado",
    "TOMATOES DICED 796ML": "tinned-tomatoes",
    "CORN 341ML": "sweetcorn",
  });
});
