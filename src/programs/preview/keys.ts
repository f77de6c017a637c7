// The records that a preview replays, in their order. A million of them take some 50 MB: what is large of them is read
// in this order, a few hundred at a time. Pure.

import { timeOfId } from "../../ids.ts";

/** A record to replay. */
export interface RecordKey {
  readonly userId: string;
  /** Number of the user, from 0 in the order of the ids. */
  readonly user: number;
  readonly sequence: number;
}

/** A record as it is found. */
export interface FoundKey {
  readonly userId: string;
  readonly sequence: number;
  readonly bookedAt: Date;
  readonly submissionId: string;
}

/** Keys of records. They are added by user, ascending, and by sequence. */
export interface RecordKeys {
  readonly userIds: readonly string[];
  readonly count: number;
  /** How long after its acceptance a record was booked at most. */
  readonly lateMs: number;
  add(found: FoundKey): void;
  /**
   * The keys in parts. `order`: "users" is all of a user before the next one; "bookings" is the order in which they
   * were booked, which matters where users share a budget.
   */
  parts(order: "users" | "bookings", size: number): Generator<readonly RecordKey[]>;
}

export function createKeys(): RecordKeys {
  const userIds: string[] = [];
  const users: number[] = [];
  const sequences: number[] = [];
  const booked: number[] = [];
  const accepted: number[] = [];
  const ties: number[] = [];
  let lateMs = 0;

  // One tx books many intakes at one moment, in the order of their ids.
  const order = (a: number, b: number): number =>
    booked[a]! - booked[b]! || accepted[a]! - accepted[b]! || ties[a]! - ties[b]!;

  return {
    userIds,
    get count() {
      return users.length;
    },
    get lateMs() {
      return lateMs;
    },
    add: ({ userId, sequence, bookedAt, submissionId }) => {
      if (userIds.at(-1) !== userId) userIds.push(userId);
      users.push(userIds.length - 1);
      sequences.push(sequence);
      booked.push(bookedAt.getTime());
      accepted.push(timeOfId(submissionId));
      lateMs = Math.max(lateMs, booked.at(-1)! - accepted.at(-1)!);
      ties.push(tieOf(submissionId));
    },
    *parts(by, size) {
      const places = Uint32Array.from(users, (_, i) => i);
      if (by === "bookings") places.sort(order);
      for (let at = 0; at < places.length; at += size) {
        const part = places.subarray(at, at + size);
        yield Array.from(part, (i) => ({ userId: userIds[users[i]!]!, user: users[i]!, sequence: sequences[i]! }));
      }
    },
  };
}

/** The 52 bits after the time of an id (`uuidv7`): they order ids of one millisecond. */
function tieOf(id: string): number {
  return Number.parseInt(id.slice(15, 18) + id.slice(19, 23) + id.slice(24, 30), 16);
}
