import assert from "node:assert/strict";
import { test } from "node:test";
import { readJsonLine, tableReader } from "./import-format.ts";
import type { ImportFormat } from "./import-format.ts";
import { readProduct } from "./product.ts";
import type { Product, Refusal } from "./product.ts";

function row(
  format: Exclude<ImportFormat, "off-jsonl">,
  cells: Record<string, string>,
  isOwn = format === "csv",
): Product | Refusal {
  const read = tableReader(format, Object.keys(cells));
  if (typeof read !== "function") assert.fail(`no column for the ${read.missing}`);
  return readProduct(read(Object.values(cells)), { isOwn });
}

function product(...args: Parameters<typeof row>): Product {
  const read = row(...args);
  if (typeof read === "string") assert.fail(read);
  return read;
}

const OFF = { code: "3017620422003", product_name: "Nut &amp; cocoa &quot;spread&quot;" };

test("a row of Open Food Facts becomes a product, its energy in kcal and its narrowest category in words", () => {
  const read = product("off-csv", {
    ...OFF,
    brands: "Somebody",
    quantity: "4 x 100 g",
    categories_tags: "en:spreads,en:sweet-spreads,fr:pates-a-tartiner,en:hazelnut-spreads",
    energy_100g: "2092",
    fat_100g: "30",
    "saturated-fat_100g": "10.6",
  });
  assert.deepEqual(read, {
    code: "03017620422003",
    gtin: "03017620422003",
    name: 'Nut & cocoa "spread"',
    brand: "Somebody",
    category: "hazelnut spreads",
    reference: null,
    nameKey: "cocoa nut spread",
    packG: 400,
    nutrition: { energyKcal: 500, fatG: 30, saturatedFatG: 10.6 },
    co2eGPerKg: null,
    co2eUncertainty: null,
  });
});

test("a line of JSON is read like a row, with its nutriments and codes", () => {
  const raw = readJsonLine(
    JSON.stringify({
      ...OFF,
      nutriments: { "energy-kcal_100g": 539, sugars_100g: 56.3 },
      categories_tags: ["en:spreads"],
      categories_properties: { "ciqual_food_code:en": "31032" },
    }),
  );
  assert.ok(raw);
  const read = readProduct(raw, { isOwn: false });
  assert.ok(typeof read !== "string");
  assert.equal(read.reference, "ciqual:31032");
  assert.deepEqual(read.nutrition, { energyKcal: 539, sugarG: 56.3 });
  assert.equal(readJsonLine("{"), null);
});

test("a row of Agribalyse has CO2e with the uncertainty of its data quality, and its reference food", () => {
  const read = product("agribalyse", {
    code_agb: "13050_1",
    code_ciqual: "13050",
    name_en: "Apple, raw",
    co2e_to_retail_kg_per_kg: "0.3641",
    dqr: "2,4",
  });
  assert.deepEqual(
    [read.code, read.reference, read.co2eGPerKg, read.co2eUncertainty],
    ["13050_1", "ciqual:13050", 364, 1.7],
  );
});

test("USDA's sodium becomes salt", () => {
  const read = product("usda", { NDB_No: "01001", Shrt_Desc: "BUTTER,WITH SALT", "Sodium_(mg)": "643" });
  assert.deepEqual(read.nutrition, { saltG: 1.6075 });
});

test("an application's own product has its id, its figures and its reference food", () => {
  const read = product("csv", {
    foodId: "sku-7",
    name: "House granola",
    GTIN: "2012345678903",
    co2eKgPerKg: "1.2",
    packG: "500",
    catalogueFoodId: "granola",
  });
  assert.deepEqual(
    [read.code, read.gtin, read.co2eGPerKg, read.co2eUncertainty, read.packG, read.reference],
    ["sku-7", "02012345678903", 1_200, 1.3, 500, "food:granola"],
  );
});

test("impossible figures are rejected, with the reason", () => {
  const refusals: [Record<string, string>, Refusal][] = [
    [{ code: "3017620422004" }, "invalid_gtin"],
    [{ code: "" }, "no_code"],
    [{ product_name: " \t" }, "no_name"],
    [{ fat_100g: "much" }, "not_a_number"],
    [{ fat_100g: "-1" }, "not_a_number"],
    [{ fat_100g: "60", carbohydrates_100g: "50" }, "implausible_nutrition"],
    [{ fat_100g: "1", "saturated-fat_100g": "9" }, "implausible_nutrition"],
    [{ "energy-kcal_100g": "2000" }, "implausible_nutrition"],
  ];
  for (const [cells, reason] of refusals) assert.equal(row("off-csv", { ...OFF, ...cells }), reason);
  assert.equal(row("csv", { foodId: "a", name: "a", co2eKgPerKg: "5000" }), "implausible_co2e");
});

test("an in-store number of a common source is kept as an id and not as a GTIN", () => {
  const read = product("off-csv", { ...OFF, code: "2012345678903" });
  assert.deepEqual([read.code, read.gtin], ["02012345678903", null]);
});

test("a name that says no more than the reference foods do is not searched", () => {
  assert.equal(product("off-csv", OFF).nameKey, null);
});

test("a table without the required columns is not read", () => {
  assert.deepEqual(tableReader("csv", ["foodId"]), { missing: "name", expected: ["name"] });
  const withoutCode = tableReader("off-csv", ["product_name"]);
  assert.ok("missing" in withoutCode && withoutCode.missing === "code" && withoutCode.expected.includes("code"));
});
