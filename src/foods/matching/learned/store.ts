import { readFileSync } from "node:fs";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { createMatchData } from "../match-data.ts";
import { createMatcher } from "../match.ts";
import type { Matcher } from "../match.ts";
import { createNameModel } from "./model.ts";
import type { ModelHeader, NameModel } from "./model.ts";

const FOLDER = new URL("../../../../reference/names-model/", import.meta.url);

/** The bytes of a file as whole numbers, without a copy. */
function bytesOf({ buffer, byteOffset, length }: Buffer): Int8Array {
  return new Int8Array(buffer, byteOffset, length);
}

/** Returns the model that ships with the service. Its files are read when the first name is asked for: 6 MB. */
export function readNameModel(): NameModel {
  let model: NameModel | undefined;
  return (name, language) => {
    model ??= createNameModel(
      JSON.parse(readFileSync(new URL("model.json", FOLDER), "utf8")) as ModelHeader,
      bytesOf(readFileSync(new URL("weights.bin", FOLDER))),
    );
    return model(name, language);
  };
}

const matchers = new WeakMap<Catalogue, Matcher>();

/** The matcher of a catalogue with the model that ships, as the service has it; created once in a process. */
export function shippedMatcherOf(catalogue: Catalogue): Matcher {
  const matcher = matchers.get(catalogue) ?? createMatcher(catalogue, createMatchData(catalogue), readNameModel());
  matchers.set(catalogue, matcher);
  return matcher;
}
