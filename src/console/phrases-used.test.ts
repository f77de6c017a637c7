// Each phrase is on some page: what is left of a page that changed would be translated for nothing. The sources are
// read as text. Where a page takes a phrase by a key, or passes a group of them on, the whole group counts as used.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { en } from "./languages/en/index.ts";

const SOURCES = globSync("**/*.ts", { cwd: import.meta.dirname }).filter(
  (name) => !name.startsWith("languages/") && !name.endsWith(".test.ts"),
);
/** Names of phrases, from the group of all. */
type Path = readonly string[];
/** What the names of a function mean. */
type Aliases = ReadonlyMap<string, Path>;

/** A name with its members; not the name of a member, of a parameter with a type, or of a key. */
const CHAIN = /(?<![\w$.])(?:\.\.\.)?([A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*)(?![\w$:])/g;
const DECLARATION = /const (?:\{((?:[^{}]|\{[^{}]*\})*)\}|(\w+)) = ([\w$.?]+);/g;

/** What is at a path; a text, a function, or one phrase with a form for each plural, is a leaf. */
function groupAt(path: Path): Readonly<Record<string, unknown>> | null {
  let at: unknown = en;
  for (const name of path) at = (at as Record<string, unknown> | undefined)?.[name];
  if (typeof at !== "object" || at === null || "other" in at) return null;
  return at as Record<string, unknown>;
}

function leavesBelow(path: Path): Path[] {
  const group = groupAt(path);
  return group ? Object.keys(group).flatMap((name) => leavesBelow([...path, name])) : [path];
}

/** The code of a source alone: comments, strings and the texts of templates are gone, what is in `${…}` stays. */
function codeOf(source: string): string {
  let code = "";
  // For each template that is open: the braces that are open in its `${…}`.
  const templates: number[] = [];
  let isText = false;
  for (let at = 0; at < source.length; at += 1) {
    const rest = source.slice(at, at + 2);
    const letter = source[at]!;
    if (isText) {
      if (letter === "\\") at += 1;
      else if (letter === "`") isText = (templates.pop(), false);
      else if (rest === "${") [isText, at, code] = [false, at + 1, `${code} (`];
      continue;
    }
    const skipped = /^(?:\/\/.*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/.exec(
      `/"'`.includes(letter) ? source.slice(at, at + 4_000) : "",
    );
    if (skipped) [at, code] = [at + skipped[0].length - 1, `${code} ""`];
    else if (letter === "`") isText = (templates.push(0), true);
    else if (letter === "}" && templates.at(-1) === 0) [isText, code] = [true, `${code} )`];
    else {
      if (templates.length > 0 && letter === "{") templates[templates.length - 1]! += 1;
      if (templates.length > 0 && letter === "}") templates[templates.length - 1]! -= 1;
      code += letter;
    }
  }
  return code;
}

/** The path that a chain such as `view.language.phrases.review.late` leads to; null: it is about something else. */
function pathOf(chain: string, aliases: Aliases): Path | null {
  const names = chain.replaceAll("?.", ".").split(".");
  const root = names.indexOf("phrases");
  if (root !== -1) return names.slice(root + 1);
  const start = aliases.get(names[0]!);
  return start ? [...start, ...names.slice(1)] : null;
}

/** The names that a pattern such as `{ late, errors: { reason: why } }` takes out of a group. */
function namesIn(pattern: string, path: Path): [name: string, path: Path][] {
  const found: [string, Path][] = [];
  for (const [, key, inner, name] of pattern.matchAll(
    /(\w+)(?:\s*:\s*(?:\{([^{}]*)\}|(\w+)))?\s*(?:=[^,]*)?(?:,|$)/g,
  )) {
    if (inner === undefined) found.push([name ?? key!, [...path, key!]]);
    else found.push(...namesIn(inner, [...path, key!]));
  }
  return found;
}

/** What a chain uses: behind a phrase are members of a text. All phrases together are passed on as a language. */
function phraseAt(path: Path): Path[] {
  const end = path.findIndex((name, at) => !Object.hasOwn(groupAt(path.slice(0, at)) ?? {}, name));
  const found = end === -1 ? path : path.slice(0, end);
  return found.length === 0 ? [] : [found];
}

/** The paths of the phrases and of the groups as a whole that one function of a source uses. */
function usedIn(code: string): Path[] {
  const aliases = new Map<string, Path>();
  const used: Path[] = [];
  const rest = code.replaceAll(DECLARATION, (all, pattern?: string, name?: string, chain = "") => {
    const path = pathOf(chain, aliases);
    if (!path || !groupAt(path)) return all;
    if (pattern?.includes("...")) used.push(path);
    // A group is looked at where its name is used.
    for (const [each, at] of pattern === undefined ? [[name!, path] as const] : namesIn(pattern, path)) {
      if (groupAt(at)) aliases.set(each, at);
      else used.push(at);
    }
    return "";
  });
  for (const [, chain] of rest.matchAll(CHAIN)) {
    const path = pathOf(chain!, aliases);
    if (path) used.push(...phraseAt(path));
  }
  return used;
}

test("no phrase is left that no page uses", () => {
  const functions = SOURCES.flatMap((name) =>
    codeOf(readFileSync(`${import.meta.dirname}/${name}`, "utf8")).split(/^(?=(?:export |async )*function )/m),
  );
  const nameOf = (path: Path) => path.join(".");
  const used = new Set(functions.flatMap(usedIn).flatMap(leavesBelow).map(nameOf));
  // Read from any language, not only from ours.
  used.add("locale");
  const unused = leavesBelow([])
    .map(nameOf)
    .filter((name) => !used.has(name));
  assert.deepEqual(unused, []);
});
