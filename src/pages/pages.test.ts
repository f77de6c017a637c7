import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { contentSecurityPolicy } from "./document.ts";
import { english } from "./english.ts";
import { formatMoney, formatNumber, languageFor } from "./language.ts";
import { progressOf } from "./progress.ts";
import type { ReceiptStatus } from "./progress.ts";

/** What each version of the consent said, so that its words cannot change under a version that people agreed to. */
const CONSENT_DIGESTS: Record<string, string> = { "consent/1": "e0e27f4b11a01569" };

test("the words of the consent are those of its version", () => {
  const { consent } = english;
  const said = Object.values(consent).map((text) => (typeof text === "function" ? text("APP") : text));
  const digest = createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 16);
  assert.equal(digest, CONSENT_DIGESTS[consent.version]);
});

const policy = (redirectUri: string | null, logoUrl: string | null = null) =>
  contentSecurityPolicy({ logoUrl, redirectUri }).split("; ");

test("a form may lead to the scheme of the redirect and nowhere else; images come from the logo's host", () => {
  assert.ok(policy(null).includes("form-action 'self'"));
  assert.ok(policy("https://app.example/back").includes("form-action 'self' https:"));
  assert.ok(policy("com.example.app://x").includes("form-action 'self' com.example.app:"));
  assert.ok(policy(null).includes("img-src 'self' data: blob:"));
  // An address cannot add a directive of its own: what stands behind the host is left away.
  assert.ok(
    policy(null, "https://l.example:8443/a;script-src *").includes("img-src 'self' data: blob: https://l.example:8443"),
  );
});

test("numbers and money are written as the session's locale does, as far as the page speaks its language", () => {
  assert.equal(formatNumber(languageFor(null), 1234.5), "1,234.5");
  assert.equal(formatNumber(languageFor("de-DE"), 1234.5), "1,234.5");
  assert.equal(formatMoney(languageFor("en-GB"), 4.1, "GBP"), "£4.10");
  assert.equal(formatMoney(languageFor("en-US"), 4.1, "GBP"), "£4.10");
  assert.equal(formatMoney(languageFor(null), 4.1, null), "4.10");
  assert.equal(formatMoney(languageFor(null), 4.1, "no code"), "4.10");
});

test("progress tells the best that is known so far", () => {
  const extractedData = {
    merchantName: "TESCO STORES 1234",
    currency: "GBP",
    total: 4.1,
    items: [
      { description: "MILK", category: null },
      { description: "COUPON", category: "discount" },
    ],
  };
  const uploaded: ReceiptStatus = { status: "Uploaded", errorCode: null, receiptStatusDoc: { uploadStateData: {} } };
  const nothing = { merchant: null, total: null, items: [], withoutPoints: [], points: null };
  assert.partialDeepStrictEqual(progressOf(uploaded), { state: "running", finishedStages: ["Uploaded"], ...nothing });

  const extracted = { ...uploaded.receiptStatusDoc, extractedStateData: { extractedData } };
  assert.partialDeepStrictEqual(progressOf({ ...uploaded, status: "Extracted", receiptStatusDoc: extracted }), {
    finishedStages: ["Uploaded", "Extracted"],
    merchant: "TESCO STORES 1234",
    total: { amount: 4.1, currency: "GBP" },
    items: [{ name: "MILK", health: null, climate: null, points: null }],
  });

  const enriched = { ...extracted, enrichStateData: { businessName: "Tesco" } };
  const failed = { status: "Failed", errorCode: "NOT_AUTHENTIC", receiptStatusDoc: enriched } as const;
  assert.partialDeepStrictEqual(progressOf(failed), { state: "Failed", merchant: "Tesco", points: null });
});
