import type { Replayed } from "../endpoints/schema.ts";

/** A requested replay of an endpoint's events. */
export interface Replay {
  readonly id: string;
  readonly applicationId: string;
  readonly endpointId: string;
  /** Only deliveries that were attempted without success. */
  readonly onlyFailed: boolean;
  /** Events with a higher id are still to be sent again. */
  readonly fromId: string;
  /** Deliveries made due so far. */
  readonly replayed: number;
  readonly createdAt: Date;
  /** The last chunk; null before the first. */
  readonly advancedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** Deliveries that one step made due; `nextId`: where the next step continues, null: there are no more. */
export interface ReplayedChunk {
  readonly replayed: number;
  readonly nextId: string | null;
}

/** Returns the replay after a step at this time. */
export function advanced(replay: Replay, { replayed, nextId }: ReplayedChunk, at: Date): Replay {
  return {
    ...replay,
    replayed: replay.replayed + replayed,
    fromId: nextId ?? replay.fromId,
    advancedAt: at,
    finishedAt: nextId === null ? at : null,
  };
}

/** The public form of a replay. */
export function presentReplay(replay: Replay): Replayed {
  const { id, endpointId, replayed, createdAt, advancedAt, finishedAt } = replay;
  const state = finishedAt !== null ? "finished" : advancedAt !== null ? "running" : "waiting";
  return {
    replayed,
    nextSince: null,
    id,
    endpointId,
    state,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}
