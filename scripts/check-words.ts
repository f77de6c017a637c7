// Holds the word list of CONTRIBUTING.md: node bin/run.mjs scripts/check-words.ts [FOLDER or FILE ...]
// Prints each line that has a word of the list, and each comment line that is too long; exits 1 when there is one.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const COMMENT_LENGTH_MAX = 120;
/** Texts that are not ours or not English, hold the words as examples, or are stored with a version (hosted pages). */
const SKIPPED =
  /^(?:CONTRIBUTING\.md$|scripts\/check-words\.ts$|eval\/(?:typed|drawn)\/|eval\/names|LICENSE|src\/html\/languages\/|src\/console\/languages\/(?!en\/)|reference\/till-font\/)/;
/** Words that a folder may use in their own sense. */
const ALLOWED: readonly (readonly [folder: RegExp, words: RegExp])[] = [
  // Injected faults.
  [/^(?:faults\/|test\/(?:backup|crash|simulation)\b|test\/support\/simulation|docs\/threats\.md$)/, /^faults?$/i],
  // A member of a delivery's attempts, in the interface and in the stored log.
  [
    /^(?:src\/webhooks\/|src\/cli\/webhook-deliveries|src\/console\/developers\/delivery-pages|test\/webhooks-|sdk\/src\/schemas\/webhook-endpoints)/,
    /^answer$/,
  ],
  // The title of a problem, which is part of the interface.
  [/^src\/problem-types\.ts$/, /^answer$/],
  // Stored keys of receipts are derived from this word.
  [/^src\/receipts\/duplicates\/keys\.ts$/, /^likeness$/],
  // An option of node:dns.
  [/^src\/outgoing\/resolve\.ts$/, /^tries$/],
];

interface Word {
  readonly pattern: RegExp;
  readonly better: string;
}

/** The rows of the word list: the words of the first column, and what to write instead. */
function wordList(): Word[] {
  const page = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const rows = [...page.matchAll(/^\| \*(.+?)\* \| (.+?) \|$/gm)];
  if (rows.length < 15) throw new Error("CONTRIBUTING.md has no word list");
  return rows.map(([, words, better]) => ({
    // Not in names of commands (`test:faults`) and in paths (`faults/run.ts`).
    pattern: new RegExp(String.raw`(?<![\w:-])(?:${words!.split(", ").join("|")})(?![\w/-])`, "gi"),
    better: better!,
  }));
}

function linesOf(file: string, words: readonly Word[]): string[] {
  const isProse = file.endsWith(".md");
  return readFileSync(join(ROOT, file), "utf8")
    .split("\n")
    .flatMap((line, index) => {
      const found = words.flatMap(({ pattern, better }) =>
        [...line.matchAll(pattern)]
          .map(([word]) => word)
          .filter((word) => !ALLOWED.some(([folder, allowed]) => folder.test(file) && allowed.test(word)))
          .map((word) => `"${word}": ${better}`),
      );
      const isLong = !isProse && line.length > COMMENT_LENGTH_MAX && /^\s*(?:\/\/|\/\*|\*|--)/.test(line);
      const all = isLong ? [...found, `a comment of ${line.length} characters`] : found;
      return all.map((text) => `${file}:${index + 1}  ${text}`);
    });
}

const chosen = process.argv.slice(2).map((path) => path.replace(/^\.\/|\/$/g, ""));
const files = globSync("**/*.{ts,js,mjs,sql,css,md}", {
  cwd: ROOT,
  exclude: (path) =>
    /(?:^|\/)(?:node_modules|\.git|\.cache)$|^(?:data|test\/out|bench\/peers\/dist)$/.test(path.replaceAll("\\", "/")),
})
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => chosen.length === 0 || chosen.some((path) => file === path || file.startsWith(`${path}/`)))
  .filter((file) => !SKIPPED.test(file))
  .toSorted();
const words = wordList();
const found = files.flatMap((file) => linesOf(file, words));
console.log(found.length === 0 ? `${files.length} files hold the word list` : found.join("\n"));
process.exitCode = found.length === 0 ? 0 : 1;
