// Scores the first alternative of foods against lists of acceptable ones made by hand: npm run eval:alternatives
import { readFileSync } from "node:fs";
import { readUses } from "../src/foods/alternatives/uses.store.ts";
import { readCatalogue } from "../src/foods/catalogue/store.ts";
import { createAlternatives } from "../src/foods/alternatives/alternatives.ts";
import { createResolver } from "../src/foods/lookup/resolve.ts";
import { shippedMatcherOf } from "../src/foods/matching/learned/store.ts";

/** A line of alternatives.jsonl. `later`: names in five languages, added after the uses were made, scored once. */
interface Line {
  readonly name: string;
  readonly acceptable: readonly string[];
  readonly part: "read" | "later";
}

const lines = readFileSync(new URL("alternatives.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line): Line => JSON.parse(line));
const catalogue = readCatalogue();
const matcher = shippedMatcherOf(catalogue);
const { rateFood } = createResolver(catalogue, matcher);
const alternativesOf = createAlternatives(catalogue, readUses(catalogue), rateFood);

const judged = lines.map((line) => {
  const [found] = matcher.match(line.name, { source: "food", limit: 1 });
  const rated = found?.accepted ? rateFood(found.food) : null;
  const ids =
    found && rated?.kind === "rated" ? alternativesOf(found.food.id, rated).map((each) => each.rated.food.id) : [];
  // The lists name foods as they are bought: the cooked form of an acceptable one is acceptable too.
  const isAcceptable = (id: string) =>
    [id, catalogue.byId.get(id)?.parent].some((each) => each && line.acceptable.includes(each));
  const outcome = ids[0] === undefined ? "none" : isAcceptable(ids[0]) ? "acceptable" : "other";
  return { ...line, isAcceptable, food: found?.accepted ? found.food.id : "(nothing)", ids, outcome };
});
for (const part of ["read", "later"] as const) {
  const own = judged.filter((line) => line.part === part);
  const shown = own.filter(({ ids }) => ids.length > 0);
  const acceptable = shown.filter(({ outcome }) => outcome === "acceptable");
  const all = shown.flatMap(({ ids, isAcceptable }) => ids.map(isAcceptable));
  console.log(
    `${part}: ${own.length} foods, ${shown.length} with alternatives; the first is acceptable for ` +
      `${acceptable.length} of ${shown.length}; of all shown ${all.filter(Boolean).length} of ${all.length}`,
  );
  for (const { name, food, ids, outcome } of own) {
    if (outcome !== "acceptable") console.log(`  ${name} (${food}): ${ids.join(", ") || "no alternative"}`);
  }
}
