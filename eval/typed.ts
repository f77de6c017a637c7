// npm run eval:typed -- [english | continental | everyday | shops | habits | errands | world | abroad | FILE …]
//   [--seed S --misread SHARE] [--invented SEED] [--round N] [--likely own|CODE] [--uploaded] [--failures]
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { toMerchantDictionary } from "../src/receipts/parsing/header/merchant-dictionary.ts";
import { parseReceipt } from "../src/receipts/parsing/parse.ts";
import { DAY_MS } from "../src/time.ts";
import { NAME_METRICS, nameTable } from "./receipt-names.ts";
import { reliability } from "./receipt-reliability.ts";
import { judged, likelyCountryOf, METRICS, table } from "./receipt-tally.ts";
import type { Judgement } from "./receipt-tally.ts";
import { TYPED, typedReceipts } from "./typed/collection.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "0" },
    misread: { type: "string", default: "0" },
    invented: { type: "string" },
    round: { type: "string" },
    likely: { type: "string" },
    uploaded: { type: "boolean", default: false },
    failures: { type: "boolean", default: false },
  },
});
const dictionary = toMerchantDictionary(
  await readFile(new URL("../reference/merchants.jsonl", import.meta.url), "utf8"),
);
const judgements = new Map<string, Judgement[]>();
const failures: string[] = [];
let read = 0;
const invented = values.invented === undefined ? null : Number(values.invented);
for (const collection of positionals.length > 0 ? positionals : TYPED) {
  for (const { file, round, country, truth, page } of typedReceipts(collection, Number(values.seed), Number(values.misread), invented)) {
    if (values.round !== undefined && round !== values.round) continue;
    const likelyCountry = likelyCountryOf(values.likely, truth);
    const today = values.uploaded && truth.date !== null ? uploadDay(truth.date, read++) : null;
    const judgement = judged(truth, parseReceipt(page, dictionary, { today, likelyCountry }), null);
    judgements.set(country, [...(judgements.get(country) ?? []), judgement]);
    if (judgement.errors.length > 0) failures.push(`${file}: ${judgement.errors.join("; ")}`);
  }
} // prettier-ignore
console.log(table(judgements));
console.log(`\n${reliability([...judgements.values()].flat())}`);
console.log(`\n${nameTable(judgements)}`);
console.log(`\n${METRICS}\n${NAME_METRICS}`);
if (values.failures) console.log(`\n${failures.join("\n")}`);

/** A day within two weeks of the purchase; of every twentieth receipt, months later. */
function uploadDay(date: string, index: number): string {
  const days = index % 20 === 7 ? 40 + ((index * 37) % 300) : (index * 11) % 15;
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}
