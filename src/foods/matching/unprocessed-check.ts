import type { Food } from "../catalogue/catalogue.ts";
import { INGREDIENTS } from "./food-groups.ts";
import type { Lexicon } from "./lexicon.ts";
import type { QueryWord } from "./name-index.ts";
import type { TokenizedNames } from "./names.ts";
import { PROCESS_SIMILARITY } from "./tuning.ts";
import type { Reading } from "./vocabulary.ts";

/** Processes that turn a raw food into another food: their words in all languages, folded, one line a process. */
const PROCESSES = [
  "smoked smoky kippered gerauchert geraucherte geraucherter geraucherten rauch fume fumee fumes fumees ahumado ahumada ahumados affumicato affumicata affumicati affumicate",
  "pickled marinated soused eingelegt eingelegte eingelegter mariniert marinierte marine marinee marines marinees mariniere encurtido encurtidos marinado escabeche marinato marinata marinati marinate",
  "dried getrocknet getrocknete getrockneten gedorrt seche sechee seches sechees deshidratado secco secca secchi secche essiccato essiccata essiccati essiccate disidratato disidratata",
  "breaded battered crumbed paniert panierte panierter pane panee panes panees empanado empanada rebozado impanato impanata impanati impanate panato panata panati panate",
  "candied crystallised caramelised kandiert kandierte karamellisiert confit confits confite confites caramelise caramelisees glace glaces confitado candito candita canditi candite",
  "stuffed filled gefullt gefullte gefullter farci farcie farcis farcies fourre fourree relleno rellena rellenos rellenas ripieno ripiena ripieni ripiene farcito farcita farciti farcite",
].map((words) => words.split(" "));

/**
 * Creates a check for foods that a name cannot mean, since it says that the thing is processed and they are not:
 * `smoked mackerel fillets` are no mackerel fillets. The check returns null where the name says nothing of the kind.
 */
export function createUnprocessedCheck(
  { names, words, starts }: TokenizedNames,
  readings: readonly (readonly Reading[])[],
  lexicon: Lexicon,
): (words: readonly QueryWord[]) => ((food: Food) => boolean) | null {
  const bitsOfTerm = new Uint8Array(lexicon.size());
  PROCESSES.forEach((words, process) => {
    for (const word of words)
      for (const { term, similarity } of lexicon.readExactly(word))
        if (similarity === 1) bitsOfTerm[term]! |= 1 << process;
  });
  const bitsOf = (readings: readonly Reading[]) =>
    readings.reduce(
      (bits, { term, similarity }) => (similarity < PROCESS_SIMILARITY ? bits : bits | bitsOfTerm[term]!),
      0,
    );
  const bitsOfWord = readings.map(bitsOf);
  const bitsOfFood = new Map<Food, number>();
  names.forEach(({ food }, name) => {
    if (!INGREDIENTS.has(food.group)) return;
    let bits = bitsOfFood.get(food) ?? 0;
    for (let at = starts[name]!; at < starts[name + 1]!; at += 1) bits |= bitsOfWord[words[at]!]!;
    bitsOfFood.set(food, bits);
  });
  return (words) => {
    const named = words.reduce((bits, word) => (word.isAddition ? bits : bits | bitsOf(word.readings)), 0);
    return named === 0 ? null : (food) => (named & ~(bitsOfFood.get(food) ?? named)) !== 0;
  };
}
