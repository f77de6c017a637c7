// Measures the cost of products in a batch: node bin/run.mjs bench/products.ts FOLDER
// FOLDER holds matching.dev.jsonl, off-products-2019.csv.gz and off-products-2026-sample.jsonl.gz. Rates batches of 200
// names with no products and with all of them, and the same by GTIN; the bar is five times the time.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readProducts } from "../src/cli/product-file.ts";
import type { ImportFormat } from "../src/foods/products/import-format.ts";
import type { LookupItem } from "../src/foods/lookup/lookup.ts";
import { createResolver } from "../src/foods/lookup/resolve.ts";
import { beginImport, endImport, importProducts } from "../src/foods/products/store.ts";
import { readCatalogue } from "../src/foods/catalogue/store.ts";
import { shippedMatcherOf } from "../src/foods/matching/learned/store.ts";
import { lookUp } from "../src/foods/lookup/store.ts";
import { uuidv7 } from "../src/ids.ts";
import { createTestDatabase } from "../test/support/database.ts";

const BATCH = 200;
const ROUNDS = 15;
const APPLICATION_ID = "00000000-0000-7000-8000-000000000001";

const folder = process.argv[2];
if (!folder) throw new Error("Say which folder holds the names and the products.");
const names = readFileSync(join(folder, "matching.dev.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => (JSON.parse(line) as { name: string }).name);
const catalogue = readCatalogue();
const resolver = createResolver(catalogue, shippedMatcherOf(catalogue));
const { database, drop } = await createTestDatabase();
try {
  const gtins: string[] = [];
  let loaded = 0;
  const none = await measure("no products", batchesOf(names));
  const startedAt = performance.now();
  loaded += await load("off-csv", "off-products-2019.csv.gz", gtins);
  loaded += await load("off-jsonl", "off-products-2026-sample.jsonl.gz", gtins);
  await endImport(database);
  console.log(`import: ${loaded} products in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  const all = await measure("all products", batchesOf(names));
  await measure("all products, by GTIN", batchesOf(names, gtins));
  console.log(`${(all / none).toFixed(2)} times the time without products (bar: 5)`);
} finally {
  await drop();
}

/** Batches of items with different names; with `gtins`, half of the items have a GTIN. */
function batchesOf(all: readonly string[], known: readonly string[] = []): LookupItem[][] {
  return Array.from({ length: ROUNDS }, (_, round) =>
    Array.from({ length: BATCH }, (_, place) => {
      const at = round * BATCH + place;
      const gtin = place % 2 === 0 ? known[(at * 997) % Math.max(1, known.length)] : undefined;
      return { applicationId: APPLICATION_ID, foodId: gtin ?? null, name: all[at % all.length]!, merchants: ["Shop"] };
    }),
  );
}

/** Median duration of a batch, looked up and rated, in ms. */
async function measure(what: string, batches: readonly LookupItem[][]): Promise<number> {
  const times: { lookUpMs: number; batchMs: number }[] = [];
  const found = new Map<string, number>();
  // Twice: the first round fills caches and lets the database settle on its plan.
  for (const batch of [...batches, ...batches]) {
    const startedAt = performance.now();
    const known = await lookUp(database, batch);
    const lookedUpAt = performance.now();
    const { rate } = resolver.raterFor(known, APPLICATION_ID);
    for (const { foodId, name, merchants } of batch) {
      const item = { foodId, name, merchants, weight: null, unit: null, quantity: 1, nutrition: null };
      const by = rate(item, "receipt").basis?.match?.by ?? "nothing";
      found.set(by, (found.get(by) ?? 0) + 1);
    }
    times.push({ lookUpMs: lookedUpAt - startedAt, batchMs: performance.now() - startedAt });
  }
  const second = times.slice(batches.length);
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  const batchMs = middle(second.map((time) => time.batchMs));
  const lookUpMs = middle(second.map((time) => time.lookUpMs));
  const kinds = [...found].map(([by, count]) => `${by} ${count}`).join(", ");
  console.log(
    `${what}: ${batchMs.toFixed(1)} ms for ${BATCH} names, of it ${lookUpMs.toFixed(1)} ms looking up (${kinds})`,
  );
  return batchMs;
}

async function load(format: ImportFormat, name: string, gtins: string[]): Promise<number> {
  const source = {
    id: uuidv7(Date.now(), new Uint8Array(10)),
    applicationId: null,
    name,
    licence: "",
    attribution: "",
  };
  const open = await beginImport(database, source, new Date());
  const file = join(folder ?? "", name);
  let loaded = 0;
  for await (const { products } of readProducts({ file, format, isOwn: false, batchRows: 5_000 })) {
    loaded += products.length;
    await database.tx((tx) => importProducts(tx, open, products));
    for (const { gtin } of products) if (gtin !== null) gtins.push(gtin);
  }
  return loaded;
}
