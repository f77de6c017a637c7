import { AsyncLocalStorage } from "node:async_hooks";
import type { Readable } from "node:stream";
import type { InjectOptions } from "fastify";
import type { Application } from "../applications/application.ts";
import type { Server } from "./server.ts";
import { Problem } from "../problems.ts";
import { API_VERSIONS } from "./version.ts";

/**
 * The application that a call inside of this process is made for. It is no header and no part of the request, so that
 * nothing that comes from the network can claim it.
 */
const callers = new AsyncLocalStorage<Application>();

/** Returns the application of a call made by `callAs`; undefined for a request from the network. */
export function inProcessCaller(): Application | undefined {
  return callers.getStore();
}

/** A call of an operation of the API: its path without `api-version`. */
export interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response to a call; `body` is parsed JSON, else the text. */
export interface CallResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
}

/**
 * Calls an operation of the API for an application, without the network and without its secret: through the same
 * validation, bounds, idempotency and responses as any other call.
 */
export async function callAs(
  server: Server,
  application: Application,
  call: Call,
  requestId: string,
): Promise<CallResponse> {
  if (leadsElsewhere(call.path)) return { status: 404, body: null, headers: {} };
  return callers.run(application, async () => {
    const response = await server.inject(optionsOf(call, requestId));
    const isJson = (response.headers["content-type"] ?? "").includes("json");
    const parsed = isJson && response.payload !== "" ? (JSON.parse(response.payload) as unknown) : response.payload;
    return { status: response.statusCode, body: parsed, headers: response.headers };
  });
}

/** A response whose body is still being made. */
export interface StreamedResponse {
  readonly status: number;
  readonly stream: Readable;
}

/** Like `callAs`, for a large response: it is read no faster than it is passed on. The caller reads or destroys it. */
export async function streamAs(
  server: Server,
  application: Application,
  call: Call,
  requestId: string,
): Promise<StreamedResponse> {
  if (leadsElsewhere(call.path)) throw new Problem("notFound");
  return callers.run(application, async () => {
    const response = await server.inject({ ...optionsOf(call, requestId), payloadAsStream: true });
    const stream = response.stream();
    // A reader that has gone: otherwise the response would wait for it for ever, with its place and its share.
    stream.once("close", () => response.raw.res.destroy());
    return { status: response.statusCode, stream };
  });
}

/** A step such as `..`, from an id that somebody typed, would call another path than the one that was meant. */
function leadsElsewhere(path: string): boolean {
  return /[?#\\]|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
}

function optionsOf({ method, path, query = {}, body, headers = {} }: Call, requestId: string): InjectOptions {
  return {
    method,
    url: path,
    query: { ...query, "api-version": API_VERSIONS.at(-1)! },
    headers: { ...headers, "x-request-id": requestId },
    ...(body !== undefined && { payload: body }),
  };
}
