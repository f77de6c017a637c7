// Takes pictures of every state of the hosted pages on a phone, in light and dark, left to right and right to left,
// into test/out/pages, with a contact sheet. Checks each page as the tests do: npm run pages:shots [-- LOOK…]
// Then those of the console; they alone: npm run pages:shots -- console [SECTION…]
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import sharp from "sharp";
import { SECTIONS, shootConsole } from "./console-shots.ts";
import { contactSheet } from "./contact-sheet.ts";
import { SHOTS, choose, look, startVisits, take } from "../test/support/pages-visit.ts";
import type { Visit } from "../test/support/pages-visit.ts";

const LOOKS: Record<string, BrowserContextOptions> = {
  light: {},
  dark: { colorScheme: "dark" },
  german: { locale: "de-DE" },
  italian: { locale: "it-IT", viewport: { width: 360, height: 740 } },
  dutch: { locale: "nl-NL", viewport: { width: 360, height: 740 } },
  polish: { locale: "pl-PL", viewport: { width: 320, height: 568 } },
  portuguese: { locale: "pt-BR", viewport: { width: 360, height: 740 } },
  "arabic-dark": { locale: "ar-AE", colorScheme: "dark", viewport: { width: 320, height: 568 } },
  narrow: { viewport: { width: 360, height: 740 } },
  wide: { viewport: { width: 1100, height: 800 } },
  /** 1,280 pixels at a zoom of 400 %. */
  zoomed: { viewport: { width: 320, height: 256 } },
};
const FAILURES = [
  "MERCHANT_NAME_NOT_FOUND",
  "NO_VALID_FOOD_ITEMS",
  "NOT_AUTHENTIC",
  "ALREADY_EXISTS",
  "INTERNAL_ERROR",
];
const SHEET = { columns: 8, tile: { width: 300, height: 560 } };

const named = process.argv.slice(2);
const isConsole = named[0] === "console";
const wanted = isConsole ? named.slice(1) : named;
const [kind, known] = isConsole ? ["section", SECTIONS] : ["look", LOOKS];
const unknown = wanted.filter((name) => !Object.hasOwn(known, name));
if (unknown.length > 0) {
  console.error(`There is no ${kind} ${unknown.join(", ")}; there are ${Object.keys(known).join(", ")}.`);
  process.exit(2);
}
if (isConsole) {
  await shootConsole(wanted);
  process.exit();
}

process.env["KEEP_PICTURES"] = "1";
rmSync(SHOTS, { recursive: true, force: true });
const visits = await startVisits({ areSamplesAllowed: true });
const sendButton = (visit: Visit) => visit.page.locator("#send").click();

for (const [name, options] of Object.entries(LOOKS)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const shoot = (visit: Visit, state: string) => look(visit, `${name}-${state}`);
  let visit = await visits.enrolment({ city: "London", country: "GB", postalCode: "W1U 6TU" }, options);
  await shoot(visit, "1-consent");
  await visit.page.locator(".languages summary").click();
  await shoot(visit, "1-consent-languages");
  await visit.end();

  visit = await visits.receipt({}, options);
  await shoot(visit, "2-receipt");
  await choose(visit, Buffer.from("GIF89a"));
  await visit.page.locator("#image-error").waitFor();
  await shoot(visit, "2-receipt-error");
  await take(visit, await sharp(visits.photo).resize(400).linear(0.25, 0).blur(4).jpeg().toBuffer());
  await shoot(visit, "3-advice");
  await visit.page.locator("#another").click();
  await take(visit, visits.photo);
  await shoot(visit, "3-preview");
  await visit.page.locator("#details summary").click();
  await visit.page.locator("#amount").fill("twelve");
  await sendButton(visit);
  await visit.page.locator("#amount-error").waitFor();
  await shoot(visit, "3-detail-error");
  await visit.page.locator("#amount").fill("");
  await visit.context.setOffline(true);
  await sendButton(visit);
  await visit.page.locator("#lost").waitFor();
  await shoot(visit, "4-offline");
  await visit.page.route("**/receipts?*", (route) => setTimeout(() => void route.continue(), 4_000));
  await visit.context.setOffline(false);
  await visit.page.locator("#sending").waitFor();
  await shoot(visit, "4-sending");
  await visit.page.locator("#progress").waitFor();
  const { receiptId } = visits.last();
  for (const stage of ["Uploaded", "Extracted", "Validated"] as const) {
    visits.pages.move(receiptId, stage);
    await visit.page.locator(`[data-status=${stage}]`).waitFor();
    await shoot(visit, `5-${stage}`);
  }
  await visit.page.clock.install();
  visits.pages.move(receiptId, "Held");
  await visit.page.locator("[data-state=held]").waitFor();
  await shoot(visit, "5-held");
  visits.pages.move(receiptId, "Completed");
  await visit.page.reload();
  await visit.page.locator(".points").waitFor();
  await shoot(visit, "6-completed");
  await shootDisputes(visit, shoot);
  for (const code of FAILURES) {
    visits.pages.move(receiptId, "Failed", code);
    await visit.page.reload();
    await shoot(visit, `7-${code}`);
  }
  await visit.end();

  visit = await visits.open("/receipts?sessionId=none", options);
  await shoot(visit, "8-gone");
  await visit.page.goto(`${visits.origin}/`);
  await shoot(visit, "9-landing");
  await visit.end();
}

/** The list of what can be reported, a form, its errors, and the list with what was reported and decided. */
async function shootDisputes(visit: Visit, shoot: (visit: Visit, state: string) => Promise<void>): Promise<void> {
  const { page } = visit;
  const list = page.url().replace("/progress", "/disputes");
  const result = page.url();
  const report = async (subject: string, fields: Readonly<Record<string, string>>) => {
    await page.goto(`${list}&${subject}`);
    for (const [name, text] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(text);
    await page.locator("form button").click();
  };
  await page.goto(list);
  await shoot(visit, "6-disputes");
  await page.goto(`${list}&line=r-1`);
  await shoot(visit, "6-disputes-line");
  await report("about=wrong_total", { expected: "a lot" });
  await page.locator("#expected-error").waitFor();
  await shoot(visit, "6-disputes-error");
  await report("about=wrong_total", { expected: "4.30", note: "The last line is not mine" });
  await report("about=missing_line", { expected: "Bananas", price: "0.80" });
  visits.pages.decide(0, { state: "rejected", reason: "The receipt says 4.10" });
  await page.goto(list);
  await shoot(visit, "6-disputes-reported");
  await page.goto(result);
}

const { credentials } = await visits.pages.addApplication({ name: "Lemon Market", accentColour: "#ffd400" });
for (const colorScheme of ["light", "dark"] as const) {
  const person = { email: "a@example.com", firstName: "Ada", lastName: "Lovelace" };
  const opened = await visits.pages.call("/users/enroll/session", person, credentials);
  const url = new URL(opened.json<{ redirectUrl: string }>().redirectUrl);
  const visit = await visits.open(url.pathname + url.search, { colorScheme });
  await look(visit, `accent-${colorScheme}`);
  await visit.end();
}
for (const colorScheme of ["light", "dark"] as const) {
  const visit = await visits.receipt({}, { javaScriptEnabled: false, colorScheme });
  await look(visit, `without-script-${colorScheme}-receipt`);
  await choose(visit, visits.photo);
  await sendButton(visit);
  await visit.page.locator("#progress").waitFor();
  await look(visit, `without-script-${colorScheme}-progress`);
  visits.pages.move(visits.last().receiptId, "Held");
  await visit.page.getByRole("link", { name: "Show the result" }).click();
  await visit.page.locator("[data-state=held]").waitFor();
  await look(visit, `without-script-${colorScheme}-held`);
  await visit.end();
}
await visits.stop();

const names = readdirSync(SHOTS).filter((file) => file.endsWith(".png"));
const sheet = join(SHOTS, "contact-sheet.png");
const files = names.map((name) => join(SHOTS, name));
await contactSheet(files, sheet, SHEET);
console.log(`${names.length} pictures and ${sheet}`);
if (wanted.length === 0) await shootConsole([]);
