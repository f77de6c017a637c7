// How processes that serve divide the limit of an application among them. Each may admit its share without asking; the
// shares of all are never more than the limit. They change once a second, when each says what it was asked for.

/** What a process says of the calls of one application in the current window. */
export interface Said {
  /** The window's end, in milliseconds since 1970. */
  readonly endsAt: number;
  readonly limit: number;
  /** Calls since it last said something, also those refused. */
  readonly recent: number;
  readonly admitted: number;
  /** Calls that it may admit in this window, with those it has. */
  readonly share: number;
}

/** Another process that serves: what it says by application. */
export interface Peer {
  readonly id: string;
  readonly said: ReadonlyMap<string, Said>;
}

/** The share of a process that has said nothing yet: an equal one. The first processes, by id, have what is left. */
export function firstShare(limit: number, id: string, ids: readonly string[]): number {
  const rank = ids.filter((other) => other < id).length;
  const count = ids.length + (ids.includes(id) ? 0 : 1);
  return Math.floor(limit / count) + (rank < limit % count ? 1 : 0);
}

/**
 * The next share of a process: of all that is left of the limit its part by what each was asked for lately, but no more
 * than the others do not hold. `peers`: what the others said of this window; null: nothing yet.
 */
export function nextShare(
  own: Pick<Said, "limit" | "recent" | "admitted"> & { readonly id: string },
  peers: readonly { readonly id: string; readonly said: Said | null }[],
): number {
  const { id, limit, recent, admitted } = own;
  const ids = [id, ...peers.map((peer) => peer.id)];
  const held = peers.map((peer) => peer.said?.share ?? firstShare(limit, peer.id, ids));
  const admittedByAll = peers.reduce((sum, { said }) => sum + (said?.admitted ?? 0), admitted);
  const recentOfAll = peers.reduce((sum, { said }) => sum + (said?.recent ?? 0), recent);
  const part = (recent + 1) / (recentOfAll + ids.length);
  const wanted = admitted + Math.ceil(Math.max(0, limit - admittedByAll) * part);
  const free = limit - held.reduce((sum, share) => sum + share, 0);
  return Math.max(admitted, Math.min(wanted, free));
}
