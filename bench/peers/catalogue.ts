import { readFileSync } from "node:fs";
import { parseCsv } from "../../src/csv/csv.ts";

/** A row of the peer's table of foods, with its rows of names. */
export interface PeerFood {
  readonly id: string;
  readonly name: string;
  readonly names: readonly string[];
  readonly category: string;
  readonly co2ePerKg: number;
  readonly [nutrient: string]: unknown;
}

/** The foods of this project's catalogue, with their English names and synonyms. */
export function peerFoods(): PeerFood[] {
  return parseCsv(readFileSync(new URL("../../reference/foods.csv", import.meta.url), "utf8")).map((row) => ({
    id: row["id"]!,
    name: row["name"]!,
    names: [row["name"]!, ...row["synonyms_en"]!.split(";")]
      .map((name) => name.trim().replace(/^~/, "").toLowerCase())
      .filter(Boolean),
    category: row["nutriscore_class"]!,
    co2ePerKg: Number(row["co2e_g_per_kg"]) / 1_000,
    energyKcal: Number(row["energy_kcal"]),
    sugarG: Number(row["sugar_g"]),
    saturatedFatG: Number(row["saturated_fat_g"]),
    proteinG: Number(row["protein_g"]),
    fiberG: Number(row["fiber_g"]),
    saltG: Number(row["salt_g"]),
    fruitsVegetablesLegumesPct: Number(row["fvl_pct"]),
  }));
}
