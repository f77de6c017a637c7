/** Upper bounds of the work that lanes hold and run, in total and per lane. */
export interface LaneLimits {
  /** Chains running in all lanes together. */
  readonly runningMax: number;
  /** Chains running in one lane. */
  readonly runningPerLaneMax: number;
  /** Items in one lane, waiting and running, up to which others are claimed for it. */
  readonly heldPerLaneMax: number;
  /** Claimed items in all lanes together, waiting and running. */
  readonly heldMax: number;
  /** Items with which a lane is full: nothing new is leased for it. */
  readonly fullLaneHeld: number;
}

/** Items that run one after another, in this order. A chain of leased items may grow at its end (`addLeased`). */
export type Chain<Item> = readonly Item[];

/**
 * The work of one process, with a lane for each endpoint, so that a slow endpoint delays only its own deliveries.
 * Lanes take turns, and each may use at most a quarter of the places that are still free (a dynamic threshold, as
 * network switches share their buffers). However many endpoints hang, some places stay free for the others: with
 * 128 places, 10 hanging lanes take 9 each and leave 36.
 */
export interface Lanes<Item> {
  /** Number of running chains. */
  readonly running: number;
  /** Number of items, waiting and running. */
  readonly held: number;
  /** Returns how many items each of these lanes may take now. Lanes that are more than half full are left out. */
  rooms(keys: readonly string[]): { key: string; room: number }[];
  /** Adds a chain of claimed items. */
  add(key: string, chain: Chain<Item>): void;
  /** Adds a leased item: as a chain of its own, or to one that waits or runs. Returns its chain. */
  addLeased(key: string, item: Item, chain?: Item[]): Item[];
  /** The lanes that are full. */
  full(): string[];
  /** Starts the next chain. Null when none may start now. The caller must pass each started chain to `finish`. */
  start(): { key: string; chain: Chain<Item> } | null;
  finish(key: string, chain: Chain<Item>): void;
  /** Removes and returns the waiting chains of one lane, or of all. Running chains are not affected. */
  clear(key?: string): Chain<Item>[];
}

interface Lane<Item> {
  readonly waiting: Chain<Item>[];
  running: number;
  held: number;
}

const FREE_SHARE = 4;

/** Creates lanes that hold nothing yet. */
export function createLanes<Item>(limits: LaneLimits): Lanes<Item> {
  // The order of the map is the order of turns: a lane that starts a chain goes to the end.
  const lanes = new Map<string, Lane<Item>>();
  let running = 0;
  let held = 0;
  // Items that were not claimed: they take no room of those that are.
  let leased = 0;
  const leasedChains = new WeakSet<Chain<Item>>();

  const push = (key: string, chain: Chain<Item>): void => {
    const lane = lanes.get(key) ?? { waiting: [], running: 0, held: 0 };
    lanes.set(key, lane);
    lane.waiting.push(chain);
    hold(lane, chain.length);
  };
  const hold = (lane: Lane<Item>, count: number): void => {
    lane.held += count;
    held += count;
  };
  const remove = (key: string, lane: Lane<Item>, chain: Chain<Item>): void => {
    hold(lane, -chain.length);
    leased -= leasedChains.has(chain) ? chain.length : 0;
    if (lane.held === 0) lanes.delete(key);
  };

  return {
    get running() {
      return running;
    },
    get held() {
      return held;
    },
    rooms: (keys) => roomsIn(lanes, keys, limits, held - leased),
    full: () => [...lanes].filter(([, lane]) => lane.held >= limits.fullLaneHeld).map(([key]) => key),
    add: push,
    addLeased(key, item, chain = []) {
      leased += 1;
      chain.push(item);
      if (chain.length > 1) hold(lanes.get(key)!, 1);
      else push(key, chain);
      leasedChains.add(chain);
      return chain;
    },
    start() {
      const next = nextLane(lanes, runningMaxOf(limits, running));
      if (!next) return null;
      const [key, lane] = next;
      lane.running += 1;
      running += 1;
      lanes.delete(key);
      lanes.set(key, lane);
      return { key, chain: lane.waiting.shift()! };
    },
    finish(key, chain) {
      const lane = lanes.get(key);
      if (lane === undefined) throw new Error("only a chain that was started can be finished");
      lane.running -= 1;
      running -= 1;
      remove(key, lane, chain);
    },
    clear(key) {
      const cleared = [...lanes].filter(([each]) => key === undefined || each === key);
      const chains = cleared.map(([each, lane]) => ({ each, lane, waiting: lane.waiting.splice(0) }));
      for (const { each, lane, waiting } of chains) for (const chain of waiting) remove(each, lane, chain);
      return chains.flatMap(({ waiting }) => waiting);
    },
  };
}

/** The first lane that may start a chain, when each may run `most`. */
function nextLane<Item>(lanes: ReadonlyMap<string, Lane<Item>>, most: number): [string, Lane<Item>] | null {
  for (const entry of lanes) if (entry[1].running < most && entry[1].waiting.length > 0) return entry;
  return null;
}

function roomsIn(
  lanes: ReadonlyMap<string, Lane<unknown>>,
  keys: readonly string[],
  limits: LaneLimits,
  held: number,
): { key: string; room: number }[] {
  if (held >= limits.heldMax) return [];
  const halfEmpty = keys
    .map((key) => ({ key, room: limits.heldPerLaneMax - (lanes.get(key)?.held ?? 0) }))
    .filter(({ room }) => room * 2 >= limits.heldPerLaneMax);
  // One share is left over, so that the next endpoint finds room even when all of these hang.
  const share = Math.max(1, Math.floor((limits.heldMax - held) / (halfEmpty.length + 1)));
  return halfEmpty.map(({ key, room }) => ({ key, room: Math.min(room, share) }));
}

/** The running chains that one lane may have now, when `running` run in all lanes. */
function runningMaxOf(limits: LaneLimits, running: number): number {
  const free = limits.runningMax - running;
  const share = Math.max(1, Math.floor(free / FREE_SHARE));
  return free > 0 ? Math.min(limits.runningPerLaneMax, share) : 0;
}
