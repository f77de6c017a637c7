// Ten endpoints in a process of their own. The path of each says how it responds.
import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { timeOfId } from "../src/ids.ts";
import { serveParent } from "./program.ts";

/** Behaviour of an endpoint. */
export type Manner = "well" | "hangs" | "fails" | "redirects";

export interface EndpointsRequest {
  /** First part of the paths to report on: `/name/…`. */
  readonly of: string;
}

export interface EndpointsReply {
  readonly url: string;
  /** Milliseconds from each event to its first arrival at each of the endpoints that respond well. */
  readonly latenciesMs: readonly number[];
  readonly completed: number;
}

const RESPONSES: Record<Manner, (response: ServerResponse) => void> = {
  well: (response) => response.end(),
  hangs: () => {},
  fails: (response) => response.writeHead(500).end(),
  redirects: (response) => response.writeHead(302, { location: "/elsewhere" }).end(),
};

const seen = new Set<string>();
const arrivals = new Map<string, { latenciesMs: number[]; completed: number }>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const atMs = performance.timeOrigin + performance.now();
    const [, of = "", endpoint = "", manner = "well", isCounted] = (request.url ?? "").split("/");
    RESPONSES[manner as Manner](response);
    const id = String(request.headers["webhook-id"]);
    const key = `${of}/${endpoint}/${id}`;
    if (isCounted === undefined || seen.has(key)) return;
    seen.add(key);
    const came = arrivals.get(of) ?? { latenciesMs: [], completed: 0 };
    arrivals.set(of, came);
    came.latenciesMs.push(atMs - timeOfId(id));
    if (Buffer.concat(chunks).includes('"event":"intake.completed"')) came.completed += 1;
  });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

serveParent(({ of }: EndpointsRequest): EndpointsReply => ({
  url,
  ...(arrivals.get(of) ?? { latenciesMs: [], completed: 0 }),
}));
