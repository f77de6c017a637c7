import type { Database } from "../postgres/postgres.ts";
import { lockMove } from "./move.store.ts";

/** An application cannot be moved or removed, or not now. The message is a sentence for the operator. */
export class MoveRefused extends Error {
  override readonly name = "MoveRefused";
}

/** Runs `work` while no other command moves or removes the application. */
export async function alone<Result>(database: Database, id: string, work: () => Promise<Result>): Promise<Result> {
  return database.tx(async (lock) => {
    if (!(await lockMove(lock, id))) throw new MoveRefused("another command is moving or removing it");
    return work();
  });
}
