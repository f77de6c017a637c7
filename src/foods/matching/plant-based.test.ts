import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogue } from "../catalogue/store.ts";
import { isImitation, isOfAnimals, saysPlantBased } from "./plant-based.ts";

test("names of foods made of plants are recognised in five languages and as tills print them", () => {
  const names =
    "vegan cheddar;VGN SAUS;steak végétal;VEG. SCHNITZEL;hamburguesa vegetal;burger vegano;plant based mince;chili sin carne;ohne Fleisch";
  for (const name of names.split(";")) assert.ok(saysPlantBased(name), name);
});

test("a word before an animal's name says that the thing is in its place", () => {
  for (const name of ["NO CHKN KIEVS", "no chicken strips", "LIKE HÄHNCHEN", "WIE LEBERWURST", "THIS ISN'T BACON"])
    assert.ok(saysPlantBased(name), name);
  for (const name of ["CHKN KIEVS", "NO ADDED SALT TUNA", "un poulet fermier", "Hähnchen wie vom Grill"])
    assert.ok(!saysPlantBased(name), name);
});

test("vegetables and their oils are not taken for plant-based imitations", () => {
  for (const name of ["veg oil", "VEG LASAGNE", "vegetable soup", "légumes", "Gemüse"])
    assert.ok(!saysPlantBased(name), name);
});

test("what imitates an animal's food is itself of no animal", () => {
  const { foods } = readCatalogue();
  assert.ok(foods.some(isImitation));
  for (const food of foods) assert.ok(!(isImitation(food) && isOfAnimals(food)), food.id);
  const dishes = foods.filter((food) => food.group === "ready-meal" && isOfAnimals(food));
  assert.ok(dishes.some(({ id }) => id === "beef-lasagne") && !dishes.some(({ id }) => id === "vegetable-lasagne"));
});
