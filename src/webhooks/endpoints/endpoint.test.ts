import assert from "node:assert/strict";
import { test } from "node:test";
import { presentEndpoint } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";

const NOW = new Date("2026-05-01T12:00:00.000Z");
const ENDPOINT: Endpoint = {
  id: "0192f0c1-0000-7000-8000-000000000001",
  applicationId: "0192f0c1-0000-7000-8000-000000000002",
  url: "https://hooks.example.com/",
  description: "",
  eventTypes: null,
  generation: 2,
  previousSecretUntil: null,
  failingSince: null,
  disabledAt: null,
  disabledReason: null,
  createdAt: NOW,
};
const shown = (changes: Partial<Endpoint>) => presentEndpoint({ ...ENDPOINT, ...changes }, NOW);

test("an endpoint shows since when and why it fails or is disabled, but not its application and generation", () => {
  assert.deepEqual(shown({}), {
    id: ENDPOINT.id,
    url: ENDPOINT.url,
    description: "",
    events: null,
    disabled: false,
    disabledAt: null,
    disabledReason: null,
    failingSince: null,
    previousSecretValidUntil: null,
    createdAt: "2026-05-01T12:00:00.000Z",
  });
  const { disabled, disabledReason, failingSince } = shown({
    disabledAt: NOW,
    disabledReason: "failing",
    failingSince: new Date("2026-04-26T12:00:00.000Z"),
  });
  assert.deepEqual([disabled, disabledReason, failingSince], [true, "failing", "2026-04-26T12:00:00.000Z"]);
});

test("the previous secret is mentioned only while it is valid", () => {
  const until = (ms: number) => shown({ previousSecretUntil: new Date(NOW.getTime() + ms) }).previousSecretValidUntil;
  assert.equal(until(1), "2026-05-01T12:00:00.001Z");
  assert.equal(until(0), null);
});
