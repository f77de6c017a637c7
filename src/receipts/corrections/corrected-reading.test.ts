import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReceiptReading } from "../parsing/parse.ts";
import { correctedHead, correctedReading } from "./corrected-reading.ts";

const READING = { merchantName: "Markt", date: "2026-10-24", time: "10:41", totalMinor: 740, currency: "GBP" };
const reading = READING as unknown as ReceiptReading;
const HEAD = { timestamp: "2026-10-24T10:41:00.000Z", totalAmountMinor: 740, currency: "GBP" };
const head = HEAD as unknown as Parameters<typeof correctedHead>[0];

test("any time that the interface takes is stored, also a leap second", () => {
  const times = {
    "2026-12-31T23:59:60Z": "2027-01-01T00:00:00.000Z",
    "2026-10-23 12:00:00.123456789+02:00": "2026-10-23T10:00:00.123Z",
  };
  for (const [transactionTimestamp, stored] of Object.entries(times)) {
    const correction = { reason: "Misread", transactionTimestamp };
    assert.equal(correctedHead(head, correction).timestamp, stored);
    const { date, time } = correctedReading(reading, correction);
    assert.equal(`${date}T${time}`, stored.slice(0, 19));
  }
});
