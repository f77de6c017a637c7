import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packEvent, unpackEvent } from "./packed-event.ts";

const EXAMPLES = JSON.parse(
  readFileSync(join(import.meta.dirname, "../openapi-examples/events.json"), "utf8"),
) as Record<string, object>;
const COLUMNS = {
  userId: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
  subject: "019c1d5d-9fbc-7d1b-b2b8-963bfa0ab07b",
  createdAt: new Date("2026-02-02T08:00:00.956Z"),
};
/** The others are rare, and stored as they are sent. */
const PACKED = /^(?:intake\.|rewards\.awarded$|receipt_(?!corrected|disputed))/;

for (const [type, event] of Object.entries(EXAMPLES)) {
  test(`${type} is the same text after it was stored`, () => {
    const body = JSON.stringify(event);
    const packed = packEvent(event, COLUMNS);
    // A member was added or moved? Then add the new shape behind the others; the old one stays.
    if (PACKED.test(type)) assert.ok(packed && packed.length < body.length / 2, "it is not packed");
    if (packed) assert.equal(unpackEvent(packed, COLUMNS), body);
  });
}

test("what was stored by this form is read for good", () => {
  const scored =
    "AQUJbWVhbC0xMDQyEUJHg4GABRRQb3JyaWRnZSB3aXRoIGJhbmFuYQUgaHR0cHM6Ly9leGFtcGxlLmNvbS9wb3JyaWRnZS5qcGdpDgMSBQ1wb3JyaWRnZS1vYXRzBQ1Qb3JyaWRnZSBvYXRzQAgySDEKAQJgMjEKBYUtEgUEbWlsawURU2VtaS1za2ltbWVkIG1pbGtACMgBSjEKAQNgMjIKBuy1EBIFBmJhbmFuYQUGQmFuYW5hQAh4SDEKAhlgMTEKBdRFBgGcHUIkwE4KAktgCgbmsBkyMgYBnB1doAA=";
  assert.equal(unpackEvent(Buffer.from(scored, "base64"), COLUMNS), JSON.stringify(EXAMPLES["intake.scored"]));
  const validated =
    "AQULcmVjZWlwdC0zMTEfcAcBnB1dpGF+/7ByoOgu3oKlhIOABgGcHV2tBwURTEFSS01FQURPVyBNQVJLRVQODiAETXsKAQUFO3RoZSBpbWFnZSBpcyBhIHNhbXBsZSwgc28gd2hhdCB3YXMgZGVjbGFyZWQgaXMgbm90IGFib3V0IGl0IAROewoBBYcgBE97CgEFhyAEUHsKAQWHIARReDEEYiAEUnoKAQIFKHRoZSBkYXRlIG9mIHRoZSByZWNlaXB0IGlzIGluIHRoZSBmdXR1cmUgBFN4CgJeBGQgBFR7CgEFBSt0aGUgaW1hZ2UgaXMgYSBzYW1wbGUsIGRyYXduIGJ5IHRoZSBzZXJ2aWNlIARVewoBBYkgBFZ7CgEFiSAEV3sKAQUFTHRoZSBpbWFnZSBpcyBhIHNhbXBsZSwgd2hpY2ggbWF5IGJlIHNlbnQgYXQgYW55IHRpbWUgYW5kIGFueSBudW1iZXIgb2YgdGltZXMgBFh7CgEFiiAEWXsKAQWKIARaewoBBYo=";
  assert.equal(unpackEvent(Buffer.from(validated, "base64"), COLUMNS), JSON.stringify(EXAMPLES["receipt_validated"]));
});
