import type { Operation } from "../http/operation.ts";
import * as users from "../users/schema.ts";

/** Every operation of the interface, in the order in which the reference tells of them. */
export const OPERATIONS: readonly Operation[] = [users.enrollUser, users.getUserSummary];
