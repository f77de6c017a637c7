// Holds the word list of CONTRIBUTING.md: node bin/run.mjs scripts/check-words.ts [FOLDER or FILE ...]
// Prints each line that has a word of the list, and each comment line that is too long; exits 1 when there is one.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const COMMENT_LENGTH_MAX = 120;
/** Files that are read: code, SQL, styles and prose. */
const READ = /\.(?:ts|js|mjs|sql|css|md)$/;
/** Texts that are not ours, or that hold the words as examples. */
const SKIPPED =
  /^(?:CONTRIBUTING\.md$|scripts\/check-words\.ts$|eval\/(?:typed|drawn)\/|eval\/names|LICENSE|src\/html\/languages\/|reference\/till-font\/)/;
/** Words that a folder may use in their own sense. */
const ALLOWED: readonly (readonly [folder: RegExp, words: RegExp])[] = [
  // Stored keys of receipts depend on this word.
  [/^src\/receipts\/duplicates\/keys\.ts$/, /^likeness$/],
  // A member of a delivery's attempts, in the interface and in the stored log.
  [
    /^(?:src\/webhooks\/(?:store|log\/(?:entry|entry\.test|schema|store))\.ts|test\/webhooks-(?:failures|endpoints)\.test\.ts|sdk\/src\/schemas\/webhook-endpoints\.d\.ts)$/,
    /^answer$/,
  ],
  // Titles of problems are part of the API and stay as they are.
  [/^src\/problems\.ts$/, /^answer$/],
  [/^(?:faults\/|test\/crash|test\/simulation|test\/support\/simulation|docs\/threats\.md$)/, /^faults?$/i],
  // A member of a delivery attempt on the wire, and the wording of explanations.
  [/^src\/cli\/deliveries\.ts$/, /^answer$/],
  [/^test\/catalogue\.test\.ts$/, /^taught$/],
  [
    /^(?:faults\/|test\/backup|test\/crash|test\/simulation|test\/support\/simulation|docs\/threats\.md$)/,
    /^faults?$/i,
  ],
  // The texts of the hosted pages.
  [/^test\/pages/, /^hand(?:ed)? in$|^handed$/i],
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

const folders = process.argv.slice(2);
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...folders], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => READ.test(file) && !SKIPPED.test(file));
const words = wordList();
const found = files.flatMap((file) => linesOf(file, words));
console.log(found.length === 0 ? `${files.length} files hold the word list` : found.join("\n"));
process.exitCode = found.length === 0 ? 0 : 1;
