import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createApplicationShare } from "./application-share.ts";

function requestOf(id: string, method: string) {
  const raw = new EventEmitter();
  return { request: { application: { id }, method } as FastifyRequest, reply: { raw } as FastifyReply, raw };
}

test("an application has a share of the requests in progress, another one its own", () => {
  const share = createApplicationShare({ reads: 2, writes: 1 });
  const take = (id: string, method: string) => {
    const { request, reply, raw } = requestOf(id, method);
    share(request, reply);
    return raw;
  };
  const first = take("a", "GET");
  take("a", "HEAD");
  assert.throws(() => take("a", "GET"), { problem: "unavailable", retryAfterSeconds: 1 });
  take("a", "POST");
  assert.throws(() => take("a", "PATCH"), { problem: "unavailable" });
  take("b", "GET");
  // Both are emitted by a complete response.
  first.emit("finish");
  first.emit("close");
  take("a", "GET");
  assert.throws(() => take("a", "GET"), { problem: "unavailable" });
});
