import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SURFACES } from "./colour.ts";
import { contentSecurityPolicy, pageDocument } from "./document.ts";
import { languageFor } from "./language.ts";
import { styleSheet } from "./style.ts";

const style = styleSheet("a{}");
const policy = (redirectUri: string | null, logoUrl: string | null = null) =>
  contentSecurityPolicy({ styles: [style], logoUrl, redirectUri }).split("; ");

test("a form may redirect to the scheme of the redirect address only; images come from the logo's host", () => {
  assert.ok(policy(null).includes("form-action 'self'"));
  assert.ok(policy("https://app.example/back").includes("form-action 'self' https:"));
  assert.ok(policy("com.example.app://x").includes("form-action 'self' com.example.app:"));
  assert.ok(policy(null).includes("img-src 'self' data: blob:"));
  // An address cannot add a directive of its own: what follows the host is removed.
  assert.ok(
    policy(null, "https://l.example:8443/a;script-src *").includes("img-src 'self' data: blob: https://l.example:8443"),
  );
});

test("a page's policy has the hashes of the styles in the page, the accent's too", () => {
  const frame = {
    assets: { style, receiptStyle: style, progressStyle: style, disputeStyle: style, scriptsUrl: "" },
    basePath: "",
    language: languageFor({}),
  };
  const brand = { name: "Shop", logoUrl: null, accentColour: "#ff8800" };
  const page = pageDocument(frame, { title: "T", brand, main: "M" });
  const styles = [...page.html.text.matchAll(/<style>(.*?)<\/style>/g)].map((match) => styleSheet(match[1]!));
  assert.equal(styles.length, 2);
  for (const { source } of styles) assert.ok(page.policy.includes(source));
  assert.doesNotMatch(page.policy, /unsafe/);
});

test("the surfaces that accents are fitted to are those of the stylesheet", () => {
  const css = readFileSync(join(import.meta.dirname, "assets/theme.css"), "utf8");
  const [light, dark] = css.split("prefers-color-scheme: dark");
  for (const [part, surfaces] of [
    [light, SURFACES.light],
    [dark, SURFACES.dark],
  ] as const) {
    for (const [name, colour] of Object.entries(surfaces)) assert.ok(part!.includes(`--${name}: ${colour};`), name);
  }
});
