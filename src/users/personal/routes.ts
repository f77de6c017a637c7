import { Readable } from "node:stream";
import { createHolders } from "../../holders.ts";
import { routeOf, routePathOf } from "../../http/operation.ts";
import type { Server } from "../../http/server.ts";
import { isUuid } from "../../ids.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import type { ErasureDeps } from "../erase.task.ts";
import { exportDocument } from "../personal-data.store.ts";
import type { StoredForms } from "../personal-data.store.ts";
import { findUser } from "../store.ts";
import { eraseUser, exportUser } from "./operations.ts";

export interface PersonalRouteDeps {
  /** Connections of background work: no request waits for an export or an erasure. */
  readonly database: Database;
  readonly storedForms: StoredForms;
  readonly now: () => Date;
  /** Erases as the command line does, in a bounded time. */
  readonly erase: (userId: string, isTimeOver: ErasureDeps["isTimeOver"]) => Promise<unknown>;
}

/** All exports and erasures of this process together; of one application one of each. */
const AT_ONCE_MAX = 3;
const RETRY_SECONDS = 5;
/** Nearly all users are erased within a tenth of it. A proxy that waits for a minute still gets the response. */
const ERASURE_MS_MAX = 20_000;

/** Adds the export and the erasure of a user's data. */
export function personalRoutes(server: Server, { database, storedForms, now, erase }: PersonalRouteDeps): void {
  const holders = createHolders();
  const take = (kind: string, applicationId: string): (() => void) => {
    const own = `${kind} ${applicationId}`;
    if (holders.of(own) >= 1 || holders.of("all") >= AT_ONCE_MAX) {
      const detail = "Another export or erasure is in progress.";
      throw new Problem("unavailable", { detail, retryAfterSeconds: RETRY_SECONDS });
    }
    return holders.take(own, "all");
  };
  const requireUser = async (applicationId: string, id: string): Promise<void> => {
    if (!isUuid(id) || !(await findUser(database, applicationId, id))) throw new Problem("notFound");
  };

  server.get(exportUser.path, routeOf(exportUser), async (request, reply) => {
    const { application, params } = request;
    const end = take("export", application.id);
    try {
      await requireUser(application.id, params.id);
    } catch (error) {
      end();
      throw error;
    }
    const pieces = exportDocument(database, params.id, storedForms, now());
    // Freed with the last piece; by "close" also when the reader has gone before the first.
    const stream = Readable.from(freeing(pieces, end)).once("close", end);
    return reply.type("application/json; charset=utf-8").send(stream);
  });

  server.delete(routePathOf(eraseUser), routeOf(eraseUser), async (request, reply) => {
    const { application, params } = request;
    const end = take("erasure", application.id);
    try {
      await requireUser(application.id, params.id);
      const startedAt = performance.now();
      await erase(params.id, () => performance.now() - startedAt > ERASURE_MS_MAX);
    } finally {
      end();
    }
    return reply.code(204).send();
  });
}

async function* freeing(pieces: AsyncGenerator<string>, end: () => void): AsyncGenerator<string> {
  try {
    yield* pieces;
  } finally {
    end();
  }
}
