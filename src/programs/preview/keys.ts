// The records that a preview replays, in their order. A million of them take 44 MB: what is large of them is read in
// this order, a few hundred at a time. Pure.

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
  const users = createColumn();
  const sequences = createColumn();
  const booked = createColumn();
  const accepted = createColumn();
  const ties = createColumn();
  let lateMs = 0;

  // One tx books many intakes at one moment, in the order of their ids.
  const order = (a: number, b: number): number =>
    booked.at(a) - booked.at(b) || accepted.at(a) - accepted.at(b) || ties.at(a) - ties.at(b);

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
      const [bookedMs, acceptedMs] = [bookedAt.getTime(), timeOfId(submissionId)];
      users.push(userIds.length - 1);
      sequences.push(sequence);
      booked.push(bookedMs);
      accepted.push(acceptedMs);
      ties.push(tieOf(submissionId));
      lateMs = Math.max(lateMs, bookedMs - acceptedMs);
    },
    *parts(by, size) {
      const places = new Uint32Array(users.length).map((_, i) => i);
      if (by === "bookings") places.sort(order);
      for (let at = 0; at < places.length; at += size) {
        const part = places.subarray(at, at + size);
        yield Array.from(part, (i) => {
          const user = users.at(i);
          return { userId: userIds[user]!, user, sequence: sequences.at(i) };
        });
      }
    },
  };
}

interface Column {
  readonly length: number;
  push(value: number): void;
  at(place: number): number;
}

const BLOCK = 65_536;

/**
 * Numbers in blocks outside of the heap. Within it a million records took some 160 MB, not 44: the collector lets a
 * heap grow to four times of what it keeps.
 */
function createColumn(): Column {
  const blocks: Float64Array[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    push: (value) => {
      if (length % BLOCK === 0) blocks.push(new Float64Array(BLOCK));
      blocks.at(-1)![length % BLOCK] = value;
      length += 1;
    },
    at: (place) => blocks[Math.floor(place / BLOCK)]![place % BLOCK]!,
  };
}

/** The 52 bits after the time of an id (`uuidv7`): they order ids of one millisecond. */
function tieOf(id: string): number {
  return Number.parseInt(id.slice(15, 18) + id.slice(19, 23) + id.slice(24, 30), 16);
}
