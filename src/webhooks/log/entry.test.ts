import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../../lists/page.ts";
import { entryId, parseEntryId, presentEntry, readLogQuery, withinBytes } from "./entry.ts";
import type { Entry } from "./entry.ts";

const EVENT_ID = "0192f0c1-0000-7000-8000-000000000001";
const ENDPOINT_ID = "0192f0c1-0000-7000-8000-000000000002";
const AT = new Date("2026-05-01T12:00:00.000Z");
const ENTRY: Entry = {
  eventId: EVENT_ID,
  endpointId: ENDPOINT_ID,
  event: "intake.completed",
  subjectId: "0192f0c1-0000-7000-8000-000000000003",
  sequence: 3,
  state: "pending",
  createdAt: AT,
  dueAt: new Date(AT.getTime() + 5_000),
  earlierAttempts: [],
  last: null,
};

test("a delivery's id has its event and its endpoint, and no other text is read as one", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (eventId, endpointId) => {
      assert.deepEqual(parseEntryId(entryId({ eventId, endpointId })), { eventId, endpointId });
    }),
  );
  for (const text of ["", ".", EVENT_ID, `${EVENT_ID}.`, `${EVENT_ID}.${ENDPOINT_ID}.x`, `${EVENT_ID}.x`]) {
    assert.equal(parseEntryId(text), null, text);
  }
});

test("attempts are shown in order, and the time of the next one only while there is one", () => {
  const attempt = { durationMs: 9, status: 500, answer: "no", error: null };
  const earlierAttempts = [{ ...attempt, at: "2026-05-01T12:00:00.000+00:00" }];
  const shown = presentEntry({ ...ENTRY, earlierAttempts, last: { ...attempt, at: new Date(AT.getTime() + 5_000) } });
  assert.deepEqual(
    shown.attempts.map(({ at }) => at),
    ["2026-05-01T12:00:00.000Z", "2026-05-01T12:00:05.000Z"],
  );
  assert.equal(shown.nextAttemptAt, "2026-05-01T12:00:05.000Z");
  assert.equal(presentEntry({ ...ENTRY, state: "failed" }).nextAttemptAt, null);
  assert.deepEqual(presentEntry(ENTRY).attempts, []);
});

test("a query of the log has a bounded page size, and every error is named", () => {
  const read = (query: string) => readLogQuery(new URLSearchParams(query));
  const none = {
    endpointId: null,
    state: null,
    event: null,
    userId: null,
    subjectId: null,
    transactionId: null,
    since: null,
    until: null,
    before: null,
    pageSize: PAGE_SIZE_DEFAULT,
  };
  assert.deepEqual(read(""), none);
  const given = `endpointId=${ENDPOINT_ID}&state=failed&before=${EVENT_ID}.${ENDPOINT_ID}&pageSize=1000&event=webhook.test`;
  assert.deepEqual(read(`${given}&since=2026-01-31T12:00:00%2b01:00&until=2026-01-31T12:00:00Z&transactionId=a`), {
    ...none,
    endpointId: ENDPOINT_ID,
    state: "failed",
    event: "webhook.test",
    transactionId: "a",
    since: new Date("2026-01-31T11:00:00Z"),
    until: new Date("2026-01-31T12:00:00Z"),
    before: { eventId: EVENT_ID, endpointId: ENDPOINT_ID },
    pageSize: PAGE_SIZE_MAX,
  });
  const wrong = ["endpointId=x", "state=lost", "event=meal", "userId=1", "subjectId=2", "transactionId=%00"];
  const refused = read([...wrong, "since=today", "until=-1", "before=y", "pageSize=1.5"].join("&"));
  assert.deepEqual("errors" in refused && Object.keys(refused.errors), Object.keys(none));
});

test("a page has at least one entry, and no more than its bytes allow but for the last", () => {
  const rows = Array.from({ length: 100 }, (_, i) => ({ i, text: "x".repeat(100_000) }));
  assert.equal(withinBytes(rows, 1_000_000).length, 10);
  assert.equal(withinBytes(rows, 1).length, 1);
  assert.deepEqual(withinBytes([], 1), []);
});
