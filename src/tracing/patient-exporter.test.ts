import assert from "node:assert/strict";
import { test } from "node:test";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Log } from "../log.ts";
import { createPatientExporter } from "./patient-exporter.ts";

type Result = Parameters<Parameters<SpanExporter["export"]>[1]>[0];

const FAILED = 1;
const failed = (code?: number): Result => ({ code: FAILED, error: Object.assign(new Error("away"), { code }) });
const TAKEN: Result = { code: 0 };

function exporterOf(results: readonly Result[]) {
  const lines: string[] = [];
  const note = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  let attempts = 0;
  const exporter = createPatientExporter(
    {
      export: (_spans, done) => done(results[Math.min(attempts++, results.length - 1)]!),
      shutdown: () => Promise.resolve(),
    },
    log,
  );
  const send = () => new Promise<Result>((done) => exporter.export([], done));
  return { exporter, send, lines, attempts: () => attempts };
}

test("a batch is sent again until the collector takes it, also where the library gave up, and that is said once", async () => {
  const { send, lines, attempts } = exporterOf([failed(), failed(503), TAKEN]);
  assert.deepEqual(await send(), TAKEN);
  assert.equal(attempts(), 3);
  assert.deepEqual(lines, ['the collector of traces is away {"status":null}']);
});

test("what the collector has refused is not sent again", async () => {
  const { send, lines, attempts } = exporterOf([failed(400), TAKEN]);
  assert.equal((await send()).code, FAILED);
  assert.equal(attempts(), 1);
  assert.deepEqual(lines, ['the collector refuses traces: they are dropped {"status":400,"spans":0}']);
});

test("a process that stops waits for no collector", async () => {
  const { exporter, send, attempts } = exporterOf([failed(503)]);
  const waiting = send();
  await new Promise((done) => setImmediate(done));
  exporter.hurry();
  assert.equal((await waiting).code, FAILED);
  assert.equal((await send()).code, FAILED);
  assert.ok(attempts() <= 3);
});
