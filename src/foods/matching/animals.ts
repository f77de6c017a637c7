import { isEligible } from "../catalogue/catalogue.ts";
import type { Food } from "../catalogue/catalogue.ts";
import type { QueryWord } from "./name-index.ts";
import type { TokenizedNames } from "./names.ts";
import { ANIMAL_SIMILARITY } from "./tuning.ts";
import type { Reading, Vocabulary } from "./vocabulary.ts";

/** Words of animals whose meat has names in dishes and cuts, in all languages, folded, one line a kind of animal. */
const ANIMALS = [
  "beef steak rind rinder rindfleisch rinds kalb kalbs kalbfleisch boeuf veau vacuno ternera bovino bovina manzo vitello vitellone veal",
  "pork schwein schweine schweins schweinefleisch porc cerdo suino maiale",
  "lamb lamm lammfleisch agneau cordero agnello mutton",
  "chicken hahnchen huhn huhner huhnchen poulet pollo turkey pute puten truthahn dinde dindonneau pavo tacchino poultry geflugel volaille",
  "duck ente enten canard pato anatra",
  "fish fisch poisson pescado pesce salmon lachs saumon salmone tuna thunfisch thon atun tonno cod kabeljau cabillaud bacalao merluzzo",
].map((words) => words.split(" "));

/** The animals, a bit each, that a term names, and those that the names of a food name. */
export interface AnimalsNamed {
  readonly ofTerm: Uint8Array;
  readonly ofFood: ReadonlyMap<Food, number>;
}

/** Finds the animals that the catalogue's own names name. `readings` are those of its vocabulary. */
export function findAnimals(
  { names, words, starts }: TokenizedNames,
  readings: readonly (readonly Reading[])[],
  vocabulary: Pick<Vocabulary, "readExactly" | "size">,
): AnimalsNamed {
  const ofTerm = new Uint8Array(vocabulary.size());
  ANIMALS.forEach((words, animal) => {
    for (const word of words)
      for (const { term, similarity } of vocabulary.readExactly(word))
        if (similarity === 1) ofTerm[term]! |= 1 << animal;
  });
  const ofWord = readings.map((readings) => animalsIn(readings, ofTerm));
  const ofFood = new Map<Food, number>();
  names.forEach(({ food }, name) => {
    if (!isEligible(food)) return;
    let bits = ofFood.get(food) ?? 0;
    for (let at = starts[name]!; at < starts[name + 1]!; at += 1) bits |= ofWord[words[at]!]!;
    ofFood.set(food, bits);
  });
  return { ofTerm, ofFood };
}

/**
 * Creates a check for foods of another animal than the name says: a `blanquette de poulet` has no veal. The check
 * returns null where the name says no animal. A food without any animal in its names contradicts nothing.
 */
export function createAnimalCheck({
  ofTerm,
  ofFood,
}: AnimalsNamed): (words: readonly QueryWord[]) => ((food: Food) => boolean) | null {
  return (words) => {
    const named = words.reduce((bits, { readings }) => bits | animalsIn(readings, ofTerm), 0);
    if (named === 0) return null;
    return (food) => {
      const own = ofFood.get(food) ?? 0;
      return own !== 0 && (own & named) === 0;
    };
  };
}

function animalsIn(readings: readonly Reading[], ofTerm: Uint8Array): number {
  return readings.reduce(
    (bits, { term, similarity }) => (similarity < ANIMAL_SIMILARITY ? bits : bits | ofTerm[term]!),
    0,
  );
}
