import type { Food } from "../catalogue/catalogue.ts";
import { INGREDIENTS } from "./food-groups.ts";
import type { QueryWord } from "./name-index.ts";
import type { TokenizedNames } from "./names.ts";
import { PROCESS_SIMILARITY } from "./tuning.ts";
import type { Reading, Vocabulary } from "./vocabulary.ts";

/** Processes that turn a raw food into another food: their words in all languages, folded, one line a process. */
const PROCESSES = [
  "smoked smoky kippered gerauchert geraucherte geraucherter geraucherten rauch fume fumee fumes fumees ahumado ahumada ahumados affumicato affumicata affumicati affumicate",
  "pickled marinated soused eingelegt eingelegte eingelegter mariniert marinierte marine marinee marines marinees mariniere encurtido encurtidos marinado escabeche marinato marinata marinati marinate",
  "dried getrocknet getrocknete getrockneten gedorrt seche sechee seches sechees deshidratado secco secca secchi secche essiccato essiccata essiccati essiccate disidratato disidratata",
  "breaded battered crumbed paniert panierte panierter pane panee panes panees empanado empanada rebozado impanato impanata impanati impanate panato panata panati panate",
  "candied crystallised caramelised kandiert kandierte karamellisiert confit confits confite confites caramelise caramelisees glace glaces confitado candito candita canditi candite",
  "stuffed filled gefullt gefullte gefullter farci farcie farcis farcies fourre fourree relleno rellena rellenos rellenas ripieno ripiena ripieni ripiene farcito farcita farciti farcite",
].map((words) => words.split(" "));

/** The processes, a bit each, that a term names, and those that the names of a food name. */
export interface Processes {
  readonly ofTerm: Uint8Array;
  /** Of the foods that are ingredients. */
  readonly ofFood: ReadonlyMap<Food, number>;
}

/** Finds the processes that the catalogue's own names name. `readings` are those of its vocabulary. */
export function findProcesses(
  { names, words, starts }: TokenizedNames,
  readings: readonly (readonly Reading[])[],
  vocabulary: Pick<Vocabulary, "readExactly" | "size">,
): Processes {
  const ofTerm = new Uint8Array(vocabulary.size());
  PROCESSES.forEach((words, process) => {
    for (const word of words)
      for (const { term, similarity } of vocabulary.readExactly(word))
        if (similarity === 1) ofTerm[term]! |= 1 << process;
  });
  const ofWord = readings.map((readings) => processesIn(readings, ofTerm));
  const ofFood = new Map<Food, number>();
  names.forEach(({ food }, name) => {
    if (!INGREDIENTS.has(food.group)) return;
    let bits = ofFood.get(food) ?? 0;
    for (let at = starts[name]!; at < starts[name + 1]!; at += 1) bits |= ofWord[words[at]!]!;
    ofFood.set(food, bits);
  });
  return { ofTerm, ofFood };
}

/**
 * Creates a check for foods that a name cannot mean, since it says that the thing is processed and they are not:
 * `smoked mackerel fillets` are no mackerel fillets. The check returns null where the name says nothing of the kind.
 */
export function createUnprocessedCheck({
  ofTerm,
  ofFood,
}: Processes): (words: readonly QueryWord[]) => ((food: Food) => boolean) | null {
  return (words) => {
    const named = words.reduce(
      (bits, { isAddition, readings }) => (isAddition ? bits : bits | processesIn(readings, ofTerm)),
      0,
    );
    return named === 0 ? null : (food) => (named & ~(ofFood.get(food) ?? named)) !== 0;
  };
}

function processesIn(readings: readonly Reading[], ofTerm: Uint8Array): number {
  return readings.reduce(
    (bits, { term, similarity }) => (similarity < PROCESS_SIMILARITY ? bits : bits | ofTerm[term]!),
    0,
  );
}
