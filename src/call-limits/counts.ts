import { WINDOW_MS } from "../rate-window.ts";
import { firstShare, nextShare } from "./shares.ts";
import type { Peer, Said } from "./shares.ts";

/** What became of a call, and what is left of the limit. */
export interface Counted {
  readonly isAdmitted: boolean;
  /** Calls that are left of the window, as far as is known here. */
  readonly left: number;
  /** Seconds until the window ends. */
  readonly secondsLeft: number;
  /** Seconds after which a refused call may be admitted. */
  readonly retryAfterSeconds: number;
}

/** Counts the calls of applications in windows of a minute. A window starts with its first call, at any process. */
export interface CallCounts {
  count(applicationId: string, limit: number): Counted;
  /** Whether there is a window that has not ended. */
  isCounting(): boolean;
  /** Takes what the others said, and returns what this process says. Shares that are less hold at once. */
  exchange(peers: readonly Peer[]): Map<string, Said>;
  /** What this process says is known to all: shares that are more hold now. */
  settle(said: ReadonlyMap<string, Said>): void;
}

interface Window {
  endsAt: number;
  limit: number;
  recent: number;
  admitted: number;
  share: number;
  /** Calls that the others had admitted when they last said something. */
  admittedByOthers: number;
}

/** Applications that one process speaks of: 100 kB. Of others each keeps its first share. */
const SAID_MAX = 1_000;
/** Shares change once a second. */
const NEXT_SHARE_SECONDS = 1;

/** What a process has counted, and what it has heard. */
interface State {
  readonly id: string;
  readonly keysMax: number;
  readonly windows: Map<string, Window>;
  peers: readonly Peer[];
}
type Heard = readonly { readonly id: string; readonly said: Said | null }[];

/**
 * Counts in the memory of this process, `id`, which has the shares of the limits that `exchange` gives it; alone it has
 * all of them. With more than `keysMax` applications the oldest window is forgotten.
 */
export function createCallCounts(id: string, keysMax: number, nowMs: () => number): CallCounts {
  const windows = new Map<string, Window>();
  const state: State = { id, keysMax, windows, peers: [] };
  return {
    count(applicationId, limit) {
      const now = nowMs();
      const window = windowOf(state, { applicationId, limit, now });
      window.recent += 1;
      const isAdmitted = window.admitted < window.share;
      if (isAdmitted) window.admitted += 1;
      const left = Math.max(0, limit - window.admitted - window.admittedByOthers);
      const secondsLeft = Math.ceil((window.endsAt - now) / 1_000);
      return { isAdmitted, left, secondsLeft, retryAfterSeconds: left > 0 ? NEXT_SHARE_SECONDS : secondsLeft };
    },
    isCounting() {
      const now = nowMs();
      for (const { endsAt } of windows.values()) if (endsAt > now) return true;
      return false;
    },
    exchange(peers) {
      const now = nowMs();
      state.peers = peers;
      takeUp(state, now);
      return say(state, now);
    },
    settle(said) {
      for (const [applicationId, { endsAt, limit, share }] of said) {
        const window = windows.get(applicationId);
        if (window?.endsAt === endsAt && window.limit === limit) window.share = share;
      }
    },
  };
}

/** What the others said of the window of an application that has not ended. */
function heardOf({ peers }: State, applicationId: string, now: number): Heard {
  return peers.map((peer) => {
    const said = peer.said.get(applicationId);
    return { id: peer.id, said: said && said.endsAt > now ? said : null };
  });
}

function admittedBy(heard: Heard): number {
  return heard.reduce((sum, { said }) => sum + (said?.admitted ?? 0), 0);
}

/** Of windows that began at several processes at once, the one that ends first is that of all. */
function endOf(heard: Heard, endsAt: number): number {
  return heard.reduce((end, { said }) => Math.min(end, said?.endsAt ?? end), endsAt);
}

function firstShareOf({ id, peers }: State, limit: number): number {
  return firstShare(limit, id, [id, ...peers.map((peer) => peer.id)]);
}

interface Opening {
  readonly applicationId: string;
  readonly limit: number;
  readonly now: number;
}

function open(state: State, { applicationId, limit, now }: Opening): Window {
  const { id, keysMax, windows } = state;
  const heard = heardOf(state, applicationId, now);
  // Until this process says something the others take it to have its first share: it may have less, and not more.
  const share = Math.min(firstShareOf(state, limit), nextShare({ id, limit, recent: 0, admitted: 0 }, heard));
  const endsAt = endOf(heard, now + WINDOW_MS);
  const window = { endsAt, limit, recent: 0, admitted: 0, share, admittedByOthers: admittedBy(heard) };
  windows.delete(applicationId);
  const [oldest] = windows.keys();
  if (oldest !== undefined && windows.size >= keysMax) windows.delete(oldest);
  windows.set(applicationId, window);
  return window;
}

function windowOf(state: State, opening: Opening): Window {
  const { applicationId, limit, now } = opening;
  let window = state.windows.get(applicationId);
  if (!window || window.endsAt <= now) window = open(state, opening);
  if (window.limit !== limit) {
    window.limit = limit;
    // Alone it has the whole one, else more than before at the next exchange only.
    const most = state.peers.length === 0 ? limit : Math.min(window.share, firstShareOf(state, limit));
    window.share = Math.max(window.admitted, most);
  }
  return window;
}

/** Opens the windows that others have and this process has not, to say that it needs little of them. */
function takeUp(state: State, now: number): void {
  for (const peer of state.peers) {
    for (const [applicationId, { endsAt, limit }] of peer.said) {
      const known = state.windows.get(applicationId);
      const isNew = endsAt > now && (known ? known.endsAt <= now : state.windows.size < state.keysMax);
      if (isNew) open(state, { applicationId, limit: known?.limit ?? limit, now });
    }
  }
}

function say(state: State, now: number): Map<string, Said> {
  const { id, windows } = state;
  const all = new Map<string, Said>();
  for (const [applicationId, window] of windows) {
    if (window.endsAt <= now) windows.delete(applicationId);
    else if (all.size < SAID_MAX) {
      const heard = heardOf(state, applicationId, now);
      window.endsAt = endOf(heard, window.endsAt);
      window.admittedByOthers = admittedBy(heard);
      const share = nextShare({ id, ...window }, heard);
      window.share = Math.min(window.share, share);
      const { endsAt, limit, recent, admitted } = window;
      all.set(applicationId, { endsAt, limit, recent, admitted, share });
      window.recent = 0;
    }
  }
  return all;
}
