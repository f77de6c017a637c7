/** How much work is in hand at once, in all and for each lane. */
export interface LaneLimits {
  /** Chains under way in all lanes together. */
  readonly atOnceMax: number;
  /** Chains under way in one lane. */
  readonly perLaneMax: number;
  /** Items a lane holds, waiting and under way. */
  readonly heldPerLaneMax: number;
  /** Items all lanes hold. */
  readonly heldMax: number;
}

/** Items that go one after another. */
export type Chain<Item> = readonly Item[];

/**
 * The work of one process, in a lane for each endpoint, so that a slow endpoint keeps only its own waiting.
 * Lanes take turns, and each may use at most a quarter of the places that are still free (a dynamic threshold, as
 * network switches share their buffers): however many endpoints hang, some places stay free for the others. With
 * 128 places, 10 hanging lanes take 9 each and leave 36.
 */
export interface Lanes<Item> {
  /** Chains under way. */
  readonly running: number;
  /** Items waiting and under way. */
  readonly held: number;
  /** How many items each of these lanes may take in now; lanes that hold more than half of their limit are left out. */
  rooms(keys: readonly string[]): { key: string; room: number }[];
  add(key: string, chain: Chain<Item>): void;
  /** The next chain to be started, or null when none may start now. Each must be ended by `finish`. */
  start(): { key: string; chain: Chain<Item> } | null;
  finish(key: string, chain: Chain<Item>): void;
  /** Takes back the chains that wait in one lane, or in all. */
  clear(key?: string): Chain<Item>[];
}

const FREE_SHARE = 4;

/** Makes lanes that hold nothing yet. */
export function createLanes<Item>(limits: LaneLimits): Lanes<Item> {
  // The order of the map is the order of turns: a lane that had its turn goes to the end.
  const lanes = new Map<string, { waiting: Chain<Item>[]; running: number; held: number }>();
  let running = 0;
  let held = 0;

  const isOpen = (lane: { running: number }): boolean => {
    const free = limits.atOnceMax - running;
    const share = Math.max(1, Math.floor(free / FREE_SHARE));
    return free > 0 && lane.running < Math.min(limits.perLaneMax, share);
  };
  const release = (key: string, count: number): void => {
    const lane = lanes.get(key);
    if (lane === undefined) throw new Error("a lane that holds something exists");
    lane.held -= count;
    held -= count;
    if (lane.held === 0) lanes.delete(key);
  };

  return {
    get running() {
      return running;
    },
    get held() {
      return held;
    },
    rooms(keys) {
      const open = keys
        .map((key) => ({ key, room: limits.heldPerLaneMax - (lanes.get(key)?.held ?? 0) }))
        .filter(({ room }) => room * 2 >= limits.heldPerLaneMax);
      // One share is kept back: who comes next finds room even when all of these hang.
      const each = Math.max(1, Math.floor((limits.heldMax - held) / (open.length + 1)));
      return held >= limits.heldMax ? [] : open.map(({ key, room }) => ({ key, room: Math.min(room, each) }));
    },
    add(key, chain) {
      const lane = lanes.get(key) ?? { waiting: [], running: 0, held: 0 };
      lanes.set(key, lane);
      lane.waiting.push(chain);
      lane.held += chain.length;
      held += chain.length;
    },
    start() {
      for (const [key, lane] of lanes) {
        const chain = isOpen(lane) ? lane.waiting.shift() : undefined;
        if (chain === undefined) continue;
        lane.running += 1;
        running += 1;
        lanes.delete(key);
        lanes.set(key, lane);
        return { key, chain };
      }
      return null;
    },
    finish(key, chain) {
      const lane = lanes.get(key);
      if (lane !== undefined) lane.running -= 1;
      running -= 1;
      release(key, chain.length);
    },
    clear(key) {
      const cleared: Chain<Item>[] = [];
      for (const each of key === undefined ? [...lanes.keys()] : [key]) {
        const chains = lanes.get(each)?.waiting.splice(0) ?? [];
        if (chains.length > 0)
          release(
            each,
            chains.reduce((sum, chain) => sum + chain.length, 0),
          );
        cleared.push(...chains);
      }
      return cleared;
    },
  };
}
