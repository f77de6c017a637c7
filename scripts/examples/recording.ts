import type { TestService } from "../../test/support/service.ts";

export type Json = Record<string, unknown>;

/** A call of the API as the sandbox of the examples. */
export type Send = (method: "GET" | "POST" | "DELETE", path: string, body?: unknown) => Promise<Json>;

/** What a part of the recording works with. */
export interface Recording {
  readonly service: TestService;
  readonly send: Send;
  /** The user of the examples. */
  readonly userId: string;
  /** Keeps the responses of a file until all are there. */
  record(file: string, responses: Json): void;
}
