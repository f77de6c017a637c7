import assert from "node:assert/strict";
import { test } from "node:test";
import { isMeasuredAsThing } from "./measured-things.ts";

test("what is sold by rolls, washes, layers, sun protection, lamps or centimetres is nothing to eat", () => {
  const things = [
    "REGINA CARTA CASA 2RT 4 ROTOLI",
    "DIXAN 40 LAVAGGI",
    "BINGO ASCIUG. 3 VELI",
    "ARIEL LEMON 38WL",
    "PERSIL CITRON 30 LAVAGES",
    "Toilettenpapier 8x200 3-lagig",
    "KITCHEN TOWEL 100 SHEETS",
    "LAIT SOLAIRE FPS 50",
    "VARTA LR03 4ER",
    "BEUTEL 3 X 25CM",
  ];
  for (const name of things) assert.ok(isMeasuredAsThing(name, "fruit"), name);
});

test("bread rolls, spring rolls, nori, grades and lines are eaten", () => {
  const foods = [
    "4 CRUSTY ROLLS",
    "4 ROULEAUX DE PRINTEMPS",
    "NORI 10 SHEETS",
    "APFEL KL 2 ROT",
    "PIZZA 30CM",
    "LAVAZZA 250G",
    "SPAGHETTI N 5",
    "AVOS 4 FOR R20",
  ];
  for (const name of foods) assert.ok(!isMeasuredAsThing(name, "fruit"), name);
});

test("dough and sweets are sold by rolls and centimetres as paper is", () => {
  for (const name of ["BLÄTTERTEIG 42X26CM", "PASTA SFOGLIA 2 ROTOLI", "FILO 50 SHEETS"])
    assert.ok(!isMeasuredAsThing(name, "grain"), name);
  assert.ok(!isMeasuredAsThing("MENTOS 4 ROLLEN", "sweet"));
  assert.ok(!isMeasuredAsThing("6 ROLLOS PRIMAVERA", "ready-meal"));
  assert.ok(isMeasuredAsThing("HONEY SPF 30", "sweet"));
});

test("it reads hostile rows in linear time", () => {
  const started = performance.now();
  for (const part of ["1", "1 ", "1 x ", "12 x 12 ", "rotoli ", "spf "])
    isMeasuredAsThing(part.repeat(20_000), "fruit");
  assert.ok(performance.now() - started < 500);
});
