import * as fc from "fast-check";
import { checkInvariants } from "./invariants.ts";
import type { World } from "./world.ts";

/** The world itself is the model: the invariants are checked in its database after every step. */
export type Command = fc.AsyncCommand<object, World>;

/** A command by its name, for the report of a failure. */
export function command(name: string, run: (world: World) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (_, world) => {
      await run(world);
      await checkInvariants(world);
    },
    toString: () => name,
  };
}

/** Stages take between two and forty steps; half of the processes survive. */
export const crashAfter = fc.oneof(fc.nat(40), fc.constant(Number.MAX_SAFE_INTEGER));
