// Receives the webhooks in a process of its own, and counts them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { serveParent } from "./program.ts";

/** The deliveries so far. Repeated deliveries are counted once. */
export interface Tally {
  readonly url: string;
  readonly deliveries: number;
  /** Those that came again. */
  readonly repeats: number;
  /** Submissions whose last event has arrived. */
  readonly ended: number;
  readonly completed: number;
  /** Missing events rewards.awarded of submissions that completed with points. */
  readonly awardsOwed: number;
  /** Last event of the requested submission, with its arrival (ms since 1970, with fractions); null before it. */
  readonly end: End | null;
}

export interface End {
  readonly atMs: number;
  readonly event: string;
  /** Of a failure; empty for any other event. */
  readonly reason: string;
}

interface Event {
  readonly event?: string;
  readonly trackId?: string;
  readonly receiptId?: string;
  readonly totalPoints?: number;
  readonly errorCode?: string;
  readonly errorMessage?: string;
}

const seen = new Set<string>();
const ends = new Map<string, End>();
let completed = 0;
let repeats = 0;
let awardsOwed = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const atMs = performance.timeOrigin + performance.now();
    response.end();
    const id = String(request.headers["webhook-id"]);
    if (seen.has(id)) repeats++;
    else note(JSON.parse(Buffer.concat(chunks).toString()) as Event, atMs);
    seen.add(id);
  });
});

function note({ event, trackId, receiptId, totalPoints = 0, errorCode, errorMessage }: Event, atMs: number): void {
  if (event === undefined) awardsOwed--;
  else if (/completed$|failed$/.test(event)) {
    const reason = [errorCode, errorMessage].filter(Boolean).join(": ");
    ends.set(trackId ?? receiptId ?? "", { atMs, event, reason });
    if (event.endsWith("completed")) completed++;
    if (totalPoints > 0) awardsOwed++;
  }
}

server.listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;

serveParent(({ subject }: { subject?: string }): Tally => ({
  url,
  deliveries: seen.size,
  repeats,
  ended: ends.size,
  completed,
  awardsOwed,
  end: ends.get(subject ?? "") ?? null,
}));
