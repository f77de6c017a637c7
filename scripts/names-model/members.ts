// Joins models of names into one: what one alone has learnt by chance counts for less.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelHeader } from "../../src/foods/matching/learned/model.ts";
import type { Weights } from "./train.ts";

/** Reads the weights of a built model. Throws where its classes are others than `groups`. */
export function readWeights(folder: string, groups: ModelHeader["groups"]): Weights {
  const header = JSON.parse(readFileSync(join(folder, "model.json"), "utf8")) as ModelHeader;
  if (JSON.stringify(header.groups) !== JSON.stringify(groups))
    throw new Error(`The model in ${folder} has other foods than the catalogue, or foods of other carbon grades`);
  const bytes = readFileSync(join(folder, "weights.bin"));
  const features = header.buckets * header.dimensions;
  const end = features + header.groups.length * header.dimensions;
  const read = (from: number, to: number, step: number) =>
    Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset + from, to - from), (weight) => weight * step);
  return {
    features: read(0, features, header.featureStep),
    groups: read(features, end, header.groupStep),
    foods: read(end, bytes.length, header.classStep),
  };
}

/**
 * Writes the rows of models side by side. The product of two long rows is the sum of those of the short ones, so the
 * joined model says the mean of what the models say, before it becomes probabilities. `groupCount`: the groups of each.
 */
export function joined(members: readonly Weights[], groupCount: number): Weights {
  const widths = members.map(({ groups }) => groups.length / groupCount);
  const share = 1 / members.length;
  return {
    features: sideBySide(
      members.map(({ features }) => features),
      widths,
      1,
    ),
    groups: sideBySide(
      members.map(({ groups }) => groups),
      widths,
      share,
    ),
    foods: sideBySide(
      members.map(({ foods }) => foods),
      widths,
      share,
    ),
  };
}

function sideBySide(tables: readonly Float32Array[], widths: readonly number[], factor: number): Float32Array {
  const width = widths.reduce((sum, own) => sum + own, 0);
  const long = new Float32Array(tables.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  tables.forEach((table, member) => {
    const own = widths[member]!;
    for (let at = 0; at < table.length; at += 1)
      long[Math.floor(at / own) * width + start + (at % own)] = table[at]! * factor;
    start += own;
  });
  return long;
}
