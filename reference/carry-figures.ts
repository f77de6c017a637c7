// Copies the figures of the sources into foods.csv: node bin/run.mjs reference/carry-figures.ts FOLDER
// FOLDER holds agribalyse-3.1.1.csv, ciqual-2020.csv, ciqual-nutriscore-defaults.csv, usda-sr28.csv,
// su-eatable-life-cf.csv and owid-clark-2022.csv. Names, structure and source codes are our own and stay unchanged;
// see docs/data.md.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { csvLine, parseCsv } from "../src/csv/csv.ts";

type Row = Record<string, string>;

const folder = process.argv[2];
if (!folder) throw new Error("Say which folder holds the sources.");
const table = (name: string, key: string): Map<string, Row> =>
  new Map(parseCsv(readFileSync(join(folder, name), "utf8")).map((row) => [row[key] ?? "", row]));

const agribalyse = table("agribalyse-3.1.1.csv", "code_agb");
const ciqual = table("ciqual-2020.csv", "code_ciqual");
const ciqualDefaults = table("ciqual-nutriscore-defaults.csv", "code_ciqual");
const usda = table("usda-sr28.csv", "ndb_no");
const suEatable = table("su-eatable-life-cf.csv", "item");
const clark = table("owid-clark-2022.csv", "Entity");

/** Our column -> the column of CIQUAL and of USDA. */
const NUTRIENTS = {
  energy_kcal: "energy_kcal",
  protein_g: "protein_g",
  carbs_g: "carbs_g",
  sugar_g: "sugar_g",
  fat_g: "fat_g",
  saturated_fat_g: "satfat_g",
  fiber_g: "fiber_g",
  salt_g: "salt_g",
} as const;
/** The widest uncertainty: a wider range would say nothing. Sources that differ by more are listed in docs/data.md. */
const K_MAX = 5;

type Nutrient = keyof typeof NUTRIENTS;
const NUTRIENT_NAMES = Object.keys(NUTRIENTS) as Nutrient[];

const foodsFile = new URL("foods.csv", import.meta.url);
const text = readFileSync(foodsFile, "utf8");
const header = text.slice(0, text.indexOf("\n")).split(",");
const rows = parseCsv(text);
for (const row of rows) {
  if (row["co2e_source"]) carryCarbon(row);
  if (row["nutrition_source"]) carryNutrition(row);
}
writeFileSync(
  foodsFile,
  [header, ...rows.map((row) => header.map((name) => row[name] ?? ""))].map(csvLine).join("\n") +
    "\n",
);
console.log(`${rows.length} foods written`);

function carryCarbon(row: Row): void {
  const figure = carbonFigure(row["co2e_source"] ?? "");
  let k = figure.k;
  const ownCode = (row["nutrition_source"] ?? "").replace(/^ciqual-2020:/, "");
  const carbonCode = (row["co2e_source"] ?? "").replace(/^[^:]*:/, "").replace(/_\d$/, "");
  // Nutrition and carbon of different entries: the carbon figure is that of a similar food, so it is less certain.
  if (ownCode !== carbonCode && row["co2e_source"]?.startsWith("agribalyse")) k = Math.max(k, 2.5);
  if (row["co2e_crosscheck"]) {
    const other = carbonFigure(row["co2e_crosscheck"]).kgPerKg;
    k = Math.min(K_MAX, Math.max(k, other / figure.kgPerKg, figure.kgPerKg / other));
  }
  row["co2e_g_per_kg"] = String(Math.round(figure.kgPerKg * 1000));
  row["co2e_uncertainty"] = String(Math.ceil(k * 10) / 10);
}

function carbonFigure(source: string): { kgPerKg: number; k: number } {
  const name = source.slice(0, source.indexOf(":"));
  const codes = source.slice(source.indexOf(":") + 1);
  if (name === "su-eatable-life-2021") {
    const entry = found(suEatable, codes, source);
    return {
      kgPerKg: Number(entry["cf_kg_co2e_per_kg"]),
      k: entry["uncertainty_L_H"] === "L" ? 1.7 : 2,
    };
  }
  if (name === "clark-2022")
    return { kgPerKg: Number(found(clark, codes, source)["ghg_kg"]), k: 2 };
  const entries = codes.split("+").map((code) => found(agribalyse, code, source));
  return {
    kgPerKg: mean(entries.map((entry) => Number(entry["co2e_to_retail_kg_per_kg"]))),
    k: Math.max(...entries.map((entry) => kOfDataQuality(Number(entry["dqr"])))),
  };
}

/** Agribalyse's data quality ratio, 1 best to 5, as an uncertainty factor: method co2e-per-kg/1. */
function kOfDataQuality(dqr: number): number {
  if (dqr <= 2) return 1.5;
  if (dqr <= 3) return 1.7;
  return dqr <= 4 ? 2 : 2.5;
}

function carryNutrition(row: Row): void {
  const source = row["nutrition_source"] ?? "";
  const codes = source.slice(source.indexOf(":") + 1).split("+");
  const entries = codes.map((code) =>
    source.startsWith("usda")
      ? found(usda, code, source)
      : found(ciqual, code.replace(/^0+/, ""), source),
  );
  const values = {} as Record<Nutrient, number | null>;
  for (const name of NUTRIENT_NAMES) {
    const cells = entries.map((entry) => entry[NUTRIENTS[name]] ?? "");
    values[name] = cells.every((cell) => cell !== "") ? mean(cells.map(Number)) : null;
  }
  // USDA's carbohydrates include fibre, CIQUAL's don't.
  if (source.startsWith("usda") && values.carbs_g !== null)
    values.carbs_g = Math.max(values.sugar_g ?? 0, values.carbs_g - (values.fiber_g ?? 0));
  const estimated = NUTRIENT_NAMES.filter((name) => values[name] === null);
  if (estimated.length > 0) fillGaps(values, entries[0] ?? {}, codes[0] ?? "");
  // Measured on different samples, a part can come out above its whole.
  values.sugar_g = Math.min(values.sugar_g ?? 0, values.carbs_g ?? 0);
  values.saturated_fat_g = Math.min(values.saturated_fat_g ?? 0, values.fat_g ?? 0);
  for (const name of NUTRIENT_NAMES) row[name] = String(round(values[name] ?? 0));
  row["nutrition_estimated"] = estimated.join("; ");
}

/**
 * Fills the values that a source leaves open by its group: ratios of saturates to fat and sugar to carbohydrates,
 * median salt and fibre.
 */
function fillGaps(values: Record<Nutrient, number | null>, entry: Row, code: string): void {
  const peers = [...ciqual.values()].filter(
    (peer) => entry["ssgrp"] !== undefined && peer["ssgrp"] === entry["ssgrp"],
  );
  const medianOf = (pick: (peer: Row) => number | null): number => {
    const known = peers
      .map(pick)
      .filter((value) => value !== null)
      .sort((a, b) => a - b);
    return known[Math.floor(known.length / 2)] ?? 0;
  };
  const cell = (peer: Row, name: string) =>
    peer[name] === undefined || peer[name] === "" ? null : Number(peer[name]);
  const share = (part: string, whole: string) =>
    medianOf((peer) => {
      const [a, b] = [cell(peer, part), cell(peer, whole)];
      return a === null || b === null || b < 0.5 ? null : a / b;
    });
  values.fat_g ??= medianOf((peer) => cell(peer, "fat_g"));
  values.protein_g ??= medianOf((peer) => cell(peer, "protein_g"));
  values.carbs_g ??= medianOf((peer) => cell(peer, "carbs_g"));
  values.fiber_g ??= medianOf((peer) => cell(peer, "fiber_g"));
  values.salt_g ??= medianOf((peer) => cell(peer, "salt_g"));
  values.sugar_g ??= values.carbs_g * share("sugar_g", "carbs_g");
  const satfatRatio = ciqualDefaults.get(code)?.["satfat_to_fat_ratio"];
  values.saturated_fat_g ??=
    values.fat_g * (satfatRatio ? Number(satfatRatio) : share("satfat_g", "fat_g"));
  values.energy_kcal ??=
    9 * values.fat_g + 4 * values.protein_g + 4 * values.carbs_g + 2 * values.fiber_g;
}

function found(from: Map<string, Row>, code: string, source: string): Row {
  const row = from.get(code);
  if (!row) throw new Error(`No such entry: ${source}`);
  return row;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
