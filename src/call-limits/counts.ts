import { WINDOW_MS, firstShare, nextShare } from "./shares.ts";
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

/** Applications of which one process speaks: 100 kB. Of others each keeps its first share. */
const SAID_MAX = 1_000;
/** Shares change once a second. */
const NEXT_SHARE_SECONDS = 1;

/**
 * Counts in the memory of this process, `id`, which has the shares of the limits that `exchange` gives it; alone it has
 * all of them. With more than `keysMax` applications the oldest window is forgotten.
 */
export function createCallCounts(id: string, keysMax: number, nowMs: () => number): CallCounts {
  const windows = new Map<string, Window>();
  let peers: readonly Peer[] = [];

  const saidOf = (peer: Peer, applicationId: string, now: number): Said | null => {
    const said = peer.said.get(applicationId);
    return said && said.endsAt > now ? said : null;
  };
  const peersOf = (applicationId: string, now: number) =>
    peers.map((peer) => ({ id: peer.id, said: saidOf(peer, applicationId, now) }));
  const ids = () => [id, ...peers.map((peer) => peer.id)];
  const admittedBy = (of: readonly { said: Said | null }[]): number =>
    of.reduce((sum, { said }) => sum + (said?.admitted ?? 0), 0);
  /** Of windows that began at several processes at once, the one that ends first is that of all. */
  const endOf = (of: readonly { said: Said | null }[], endsAt: number): number =>
    of.reduce((end, { said }) => Math.min(end, said?.endsAt ?? end), endsAt);

  const open = (applicationId: string, limit: number, now: number): Window => {
    const of = peersOf(applicationId, now);
    // Until this process says something the others take it to have its first share: it may have less, and not more.
    const share = Math.min(firstShare(limit, id, ids()), nextShare({ id, limit, recent: 0, admitted: 0 }, of));
    const endsAt = endOf(of, now + WINDOW_MS);
    const window = { endsAt, limit, recent: 0, admitted: 0, share, admittedByOthers: admittedBy(of) };
    windows.delete(applicationId);
    const [oldest] = windows.keys();
    if (oldest !== undefined && windows.size >= keysMax) windows.delete(oldest);
    windows.set(applicationId, window);
    return window;
  };

  const windowOf = (applicationId: string, limit: number, now: number): Window => {
    let window = windows.get(applicationId);
    if (!window || window.endsAt <= now) window = open(applicationId, limit, now);
    if (window.limit !== limit) {
      window.limit = limit;
      const fair = firstShare(limit, id, ids());
      window.share = peers.length === 0 ? limit : Math.max(window.admitted, Math.min(window.share, fair));
    }
    return window;
  };

  return {
    count(applicationId, limit) {
      const now = nowMs();
      const window = windowOf(applicationId, limit, now);
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
    exchange(heard) {
      const now = nowMs();
      peers = heard;
      for (const peer of peers) {
        for (const [applicationId, { endsAt, limit }] of peer.said) {
          const known = windows.get(applicationId);
          const isNew = endsAt > now && (known ? known.endsAt <= now : windows.size < keysMax);
          if (isNew) open(applicationId, known?.limit ?? limit, now);
        }
      }
      const said = new Map<string, Said>();
      for (const [applicationId, window] of windows) {
        if (window.endsAt <= now) windows.delete(applicationId);
        else if (said.size < SAID_MAX) {
          const of = peersOf(applicationId, now);
          window.endsAt = endOf(of, window.endsAt);
          window.admittedByOthers = admittedBy(of);
          const share = nextShare({ id, ...window }, of);
          window.share = Math.min(window.share, share);
          const { endsAt, limit, recent, admitted } = window;
          said.set(applicationId, { endsAt, limit, recent, admitted, share });
          window.recent = 0;
        }
      }
      return said;
    },
    settle(said) {
      for (const [applicationId, { endsAt, share }] of said) {
        const window = windows.get(applicationId);
        if (window?.endsAt === endsAt) window.share = share;
      }
    },
  };
}
