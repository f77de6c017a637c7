import { setTimeout as sleep } from "node:timers/promises";
import { timeOfId } from "../../ids.ts";
import type { NewEvent } from "../event.ts";
import type { Lease, LeasedDelivery } from "../outbox.store.ts";
import { inProgressMs } from "../retry.ts";
import type { Backlog } from "./backlog.ts";
import { chainKey } from "./delivery.ts";
import type { ClaimedDelivery } from "./delivery.ts";
import type { ProcessLease } from "./lease.task.ts";

/** The deliveries that the process that stores their events sends right after the commit, without claiming them. */
export interface DirectDelivery {
  /** The lease to store events under; null: their deliveries are to be stored with them. */
  lease(): Lease | null;
  /** Sends leased deliveries of events that are committed. */
  send(events: readonly NewEvent[], leased: readonly LeasedDelivery[]): void;
  /** Leaves events to the next process: it is not known whether they are committed. */
  abandon(): void;
  /** Claims what is due, at once. */
  wake(): void;
  /** Waits, for a second at most, while much is unsent: what has no place in memory costs several times as much. */
  catchUp(): Promise<void>;
}

/** The deliveries of this process that have no rows yet. */
export interface Unstored {
  /** Time of the oldest one's event; null: there is none. */
  oldest(): number | null;
  /** Their memory, about. */
  bytes(): number;
  /** Adds a delivery. Returns its chain if that waits or runs; "released" if an earlier one of it was released. */
  add(delivery: ClaimedDelivery): ClaimedDelivery[] | "released" | undefined;
  chainOpened(chain: ClaimedDelivery[]): void;
  chainEnded(chain: readonly ClaimedDelivery[]): void;
  /** To be called when a delivery was released: its chain, which waited or is ending, takes no more. */
  released(delivery: ClaimedDelivery): void;
  /** To be called when its outcome is written or given up. */
  settled(delivery: ClaimedDelivery): void;
}

/** A burst of 15,000 deliveries of a food, of 1 kB each; an event of a long receipt has some 100 kB. */
const UNSTORED_BYTES_MAX = 32 * 1_024 * 1_024;
/** More than this unsent, and who stores more events waits a little. */
const MUCH_BYTES = UNSTORED_BYTES_MAX / 2;
const CATCH_UP_MS = 1_000;
const CHECK_MS = 10;
/** An entry without its body: strings, the object, its places in sets. */
const ENTRY_BYTES = 1_000;

function bytesOf({ body }: ClaimedDelivery): number {
  return ENTRY_BYTES + body.length;
}

/**
 * A tx whose statement saw no row of a released delivery, and which sends after the row is there, lasts at most this
 * long.
 */
const RELEASED_MS = 120_000;

/** Creates the list of deliveries without rows. */
export function createUnstored(now: () => Date): Unstored {
  const deliveries = new Set<ClaimedDelivery>();
  let bytes = 0;
  const openChains = new Map<string, ClaimedDelivery[]>();
  /**
   * Chains with a delivery that was released, and when, oldest first. What comes later in such a chain is released,
   * too: then it has a row, and waits in the database for the earlier one. Mostly empty.
   */
  const released = new Map<string, number>();
  const forgetReleased = (): void => {
    const until = now().getTime() - RELEASED_MS;
    for (const [key, at] of released) {
      if (at > until) return;
      released.delete(key);
    }
  };
  return {
    oldest() {
      let oldest: number | null = null;
      for (const { eventId } of deliveries) oldest = Math.min(oldest ?? Infinity, timeOfId(eventId));
      return oldest;
    },
    bytes: () => bytes,
    add(delivery) {
      const key = chainKey(delivery);
      deliveries.add(delivery);
      bytes += bytesOf(delivery);
      return released.has(key) ? "released" : openChains.get(key);
    },
    chainOpened: (chain) => void openChains.set(chainKey(chain[0]!), chain),
    chainEnded(chain) {
      const key = chainKey(chain[0]!);
      if (openChains.get(key) === chain) openChains.delete(key);
    },
    released(delivery) {
      if (delivery.hasRow) return;
      forgetReleased();
      const key = chainKey(delivery);
      openChains.delete(key);
      released.delete(key);
      released.set(key, now().getTime());
    },
    settled(delivery) {
      if (deliveries.delete(delivery)) bytes -= bytesOf(delivery);
    },
  };
}

export interface DirectDeps {
  readonly backlog: Backlog;
  readonly now: () => Date;
  readonly leaseMs: number;
  readonly processLease: Pick<ProcessLease, "id" | "abandon">;
  readonly unstored: Unstored;
  /** Endpoints with due deliveries in the database: new ones wait behind these. */
  readonly behind: Set<string>;
  readonly isStopping: () => boolean;
  readonly startChains: () => void;
  readonly release: (delivery: ClaimedDelivery) => void;
  readonly wake: () => void;
}

/** Member by member: copies of whole objects took three times as long. */
function deliveryOf(leased: LeasedDelivery, event: NewEvent, leasedUntil: Date): ClaimedDelivery {
  return {
    userId: event.userId,
    subject: event.subject,
    position: event.position,
    endpointId: leased.endpointId,
    hasRow: false,
    isReplayed: false,
    eventId: event.id,
    type: event.type,
    body: event.body,
    traceparent: event.traceparent ?? null,
    url: leased.url,
    generation: leased.generation,
    previousSecretUntil: leased.previousSecretUntil,
    attempts: 0,
    leasedUntil,
  };
}

/** Creates the direct delivery. Deliveries of one subject to one endpoint are sent one after another, in a chain. */
export function createDirect(deps: DirectDeps): DirectDelivery {
  const { backlog, now, leaseMs, processLease, behind, unstored } = deps;

  const add = (delivery: ClaimedDelivery): void => {
    const { endpointId } = delivery;
    const open = unstored.add(delivery);
    if (open === "released") return deps.release(delivery);
    const chain = backlog.healthy.addLeased(endpointId, delivery, open);
    if (!open) unstored.chainOpened(chain);
  };

  return {
    lease() {
      const { id } = processLease;
      if (id === null || deps.isStopping() || unstored.bytes() >= UNSTORED_BYTES_MAX) return null;
      for (const endpointId of backlog.healthy.full()) behind.add(endpointId);
      const inProgressSince = new Date(now().getTime() - inProgressMs(leaseMs));
      return { id, fullEndpointIds: [...behind], inProgressSince };
    },
    send(events, leased) {
      if (leased.length === 0) return;
      const eventsByKey = new Map(events.map((event) => [`${event.subject} ${event.position}`, event]));
      const leasedUntil = new Date(now().getTime() + leaseMs);
      const deliveries = leased.map((each) =>
        deliveryOf(each, eventsByKey.get(`${each.subject} ${each.position}`)!, leasedUntil),
      );
      try {
        for (const delivery of deliveries.sort((a, b) => a.position - b.position)) add(delivery);
        deps.startChains();
      } catch (error) {
        processLease.abandon();
        throw error;
      }
    },
    abandon: () => processLease.abandon(),
    wake: deps.wake,
    async catchUp() {
      for (let waits = 0; waits < CATCH_UP_MS / CHECK_MS && unstored.bytes() > MUCH_BYTES; waits++)
        await sleep(CHECK_MS);
    },
  };
}
