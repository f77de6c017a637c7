// Makes the pictures of the README: npm run docs:pictures
// docs/images/demo.svg is the demo's output as text; docs/images/pages.png shows three states of the hosted pages;
// docs/images/console-overview.png and console-review.png are pictures that the tests of the console take.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import sharp from "sharp";
import { CONSOLE_SHOTS } from "../test/support/console-browser.ts";
import { startVisits, take } from "../test/support/pages-visit.ts";

const ROOT = join(import.meta.dirname, "..");
const IMAGES = join(ROOT, "docs/images");
const CHARACTER_PX = 7.8;
const LINE_PX = 17;
const FONT_PX = 13;
const MARGIN_PX = 18;
/** Parts of the demo that say where it runs, and so would differ from machine to machine. */
const PARTS_SKIPPED = 2;
const PHONE = { width: 375, height: 700 };
const PHONE_GAP_PX = 24;
/** Of a picture of the console, in pixels. */
const CONSOLE_PART = { width: 1_440, height: 1_200 };
const PHONE_FRAME = "#8a8f98";

/** What the demo uses of ANSI's select graphic rendition: code to attributes of an SVG text. */
const STYLES: Readonly<Record<string, string>> = {
  "1": 'font-weight="bold"',
  "2": 'fill="#8b949e"',
  "31": 'fill="#ff7b72"',
  "32": 'fill="#56d364"',
  "33": 'fill="#e3b341"',
  "35": 'fill="#d2a8ff"',
};
/** A code that ends others. */
const ENDS: Readonly<Record<string, readonly string[]>> = { "22": ["1", "2"], "39": ["31", "32", "33", "35"] };

mkdirSync(IMAGES, { recursive: true });
writeFileSync(join(IMAGES, "demo.svg"), terminalPicture(demoOutput()));
await pagesPicture(join(IMAGES, "pages.png"));
await consolePictures();

/** The lines that the demo prints, from the part that shows the receipt's stages on, without ids of this run. */
function demoOutput(): string[] {
  const env = { ...process.env, FORCE_COLOR: "1", NO_COLOR: undefined };
  const output = execFileSync(process.execPath, [join(ROOT, "demo/demo.ts"), "--exit"], { encoding: "utf8", env });
  const lines = output
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, "01a1…")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:4000")
    .split("\n");
  const headings = lines.flatMap((line, index) => (/^ \S/.test(stripVTControlCharacters(line)) ? [index] : []));
  return lines.slice(headings[PARTS_SKIPPED], -1).map((line) => line.trimEnd());
}

/** An SVG whose text can be selected: words of one style are one text, placed by its column. */
function terminalPicture(lines: readonly string[]): string {
  const columns = Math.max(...lines.map((line) => stripVTControlCharacters(line).length));
  const width = Math.ceil(columns * CHARACTER_PX) + 2 * MARGIN_PX;
  const height = lines.length * LINE_PX + 2 * MARGIN_PX;
  const texts = lines.flatMap((line, row) => textsOf(line, MARGIN_PX + (row + 0.75) * LINE_PX));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>Output of the demo: a receipt, a meal and a food become ratings, points and webhooks</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_PX}" fill="#e6edf3">
${texts.join("\n")}
</g>
</svg>
`;
}

function textsOf(line: string, y: number): string[] {
  const styles = new Set<string>();
  let column = 0;
  // oxlint-disable-next-line no-control-regex -- the escape character starts each code
  return line.split(/(\u{1B}\[\d+m)/u).flatMap((part) => {
    const code = part.startsWith("\u{1B}[") ? part.slice(2, -1) : null;
    if (code !== null) {
      for (const ended of ENDS[code] ?? []) styles.delete(ended);
      if (code in STYLES) styles.add(code);
      return [];
    }
    const start = column;
    column += part.length;
    const style = [...styles].map((each) => ` ${STYLES[each]!}`).join("");
    // SVG may join spaces, so words that two spaces part are texts of their own.
    return [...part.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => {
      const x = (MARGIN_PX + (start + index) * CHARACTER_PX).toFixed(1);
      const length = (text.length * CHARACTER_PX).toFixed(1);
      return `<text x="${x}" y="${y}" textLength="${length}"${style}>${escaped(text)}</text>`;
    });
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** The consent page, a chosen photo and the points, side by side as a phone shows them. */
async function pagesPicture(path: string): Promise<void> {
  const visits = await startVisits();
  const shots: Buffer[] = [];
  let visit = await visits.enrolment({ city: "London", country: "GB", postalCode: "W1U 6TU" }, { viewport: PHONE });
  shots.push(await visit.page.screenshot());
  await visit.end();
  visit = await visits.receipt({}, { viewport: PHONE });
  await take(visit, visits.photo);
  shots.push(await visit.page.screenshot());
  await visit.page.locator("#send").click();
  await visit.page.locator("#progress").waitFor();
  visits.pages.move(visits.last().receiptId, "Completed");
  await visit.page.locator(".points").waitFor();
  shots.push(await visit.page.screenshot());
  await visit.end();
  await visits.stop();
  await sharp({
    create: {
      width: shots.length * (PHONE.width + PHONE_GAP_PX) + PHONE_GAP_PX,
      height: PHONE.height + 2 * PHONE_GAP_PX,
      channels: 3,
      background: PHONE_FRAME,
    },
  })
    .composite(
      shots.map((input, i) => ({ input, left: PHONE_GAP_PX + i * (PHONE.width + PHONE_GAP_PX), top: PHONE_GAP_PX })),
    )
    .png({ palette: true, quality: 80, effort: 10 })
    .toFile(path);
}

/** The overview and the review queue, as the tests in a browser keep them: the upper part, at half the size. */
async function consolePictures(): Promise<void> {
  const tests = ["overview", "receipts"].map((section) => `test/console-${section}-browser.test.ts`);
  const env = { ...process.env, KEEP_PICTURES: "1" };
  execFileSync(process.execPath, [join(ROOT, "scripts/test-one.ts"), ...tests], { cwd: ROOT, env, stdio: "inherit" });
  for (const name of ["overview", "review"]) {
    await sharp(join(CONSOLE_SHOTS, `${name}-1440-light.png`))
      .extract({ left: 0, top: 0, ...CONSOLE_PART })
      .resize({ width: CONSOLE_PART.width / 2 })
      .png({ palette: true, quality: 80, effort: 10 })
      .toFile(join(IMAGES, `console-${name}.png`));
  }
}
