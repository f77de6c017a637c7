// The lines of tills and ingredients that the model of names is trained on as they are, labelled by hand.
import type { Food } from "../../src/foods/catalogue/catalogue.ts";
import type { Options, Sample } from "./labels.ts";
import { foodsByCode } from "./sources.ts";

/** The halves of eval/names.jsonl that were worked with. The others stay a measure of the model. */
const HALVES = new Set("a c d f i k n p q r s t u v".split(" "));

interface Line {
  readonly name: string;
  readonly lang: Sample["language"];
  readonly half: string;
  readonly expected: readonly string[];
  readonly foods?: readonly string[];
  readonly excluded?: string;
}

/**
 * Reads the labelled lines of `text`, one JSON object each. Of a thing the label says only the kind: the words say
 * which one it is, or it is left out.
 */
export function readLines(text: string, { catalogue, matcher }: Pick<Options, "catalogue" | "matcher">): Sample[] {
  const byCode = foodsByCode(catalogue);
  const thingOf = ({ name, lang, excluded }: Line): Food | undefined => {
    const [first] = matcher.match(name, { source: "receipt", limit: 1, language: lang });
    return first?.food.kind === excluded ? first?.food : undefined;
  };
  const foodOf = (line: Line): Food | null | undefined => {
    if (line.excluded === "none") return null;
    if (line.excluded !== undefined) return thingOf(line);
    return catalogue.byId.get(line.foods?.[0] ?? "") ?? byCode.get(line.expected[0] ?? "");
  };
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)
    .flatMap((line) => {
      const food = HALVES.has(line.half) ? foodOf(line) : undefined;
      return food === undefined ? [] : [{ name: line.name, food, language: line.lang }];
    });
}
