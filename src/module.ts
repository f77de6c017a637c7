import type { Config } from "./config.ts";
import type { Idempotency } from "./idempotency/idempotency.task.ts";
import type { Server } from "./http/server.ts";
import type { Log } from "./log.ts";
import type { Meters } from "./meters.ts";
import type { Database } from "./postgres/postgres.ts";
import type { Jobs, QueueOptions } from "./queue/jobs.ts";
import type { Tracing } from "./tracing/tracing.ts";
import type { Pressure } from "./queue/pressure.ts";

/** A domain as the app sees it: its routes, background work and stop. A member that it doesn't need is absent. */
export interface Module {
  /** Its queues by name. They are declared before anything is sent to them. */
  readonly queues?: Readonly<Record<string, QueueOptions>>;
  /** Adds its operations of the API. `scope` requires an api-version and credentials. */
  apiRoutes?(scope: Server): void;
  /** Adds its routes outside of the API. */
  routes?(server: Server): void;
  /** Starts its background work. A process that only serves doesn't call it. */
  startWork?(jobs: Jobs): Promise<void>;
  /** Finishes what requests have begun. Called after the last request, while jobs can still be sent. */
  drain?(): Promise<void>;
  /** Ends its work in progress within `graceMs`. Called after the queues have stopped. */
  stop?(graceMs: number): Promise<void>;
}

/** The parts of the app that domains are built on. */
export interface Platform {
  readonly config: Config;
  /** The configured public address, without a slash at its end. */
  readonly publicUrl: string;
  /** The address of the hosted pages, without a slash at its end. */
  readonly hostedPagesUrl: string;
  readonly database: Database;
  /** The same database by connections of its own, for work that may take long: requests don't wait for it. */
  readonly background: Database;
  readonly jobs: Pick<Jobs, "send">;
  /** Of the requests of this process. */
  readonly pressure: Pressure;
  readonly idempotency: Idempotency;
  /** 32 bytes. Keys of single purposes are derived from it. */
  readonly installationKey: Uint8Array;
  readonly log: Log;
  readonly meters: Meters;
  /** Null: nothing is traced. */
  readonly tracing: Tracing | null;
  readonly now: () => Date;
  /** Returns a new UUIDv7. */
  readonly newId: () => string;
}
