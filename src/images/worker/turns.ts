/** Sender of an upload. */
export interface Sender {
  readonly applicationId: string;
  /** The hosted session; null for an upload by the API. */
  readonly session: string | null;
}

/** Numbers of uploads that may wait: of all, of an application, of a hosted session. */
export interface WaitingLimits {
  readonly all: number;
  readonly ofApplication: number;
  readonly ofSession: number;
}

interface Waiting {
  readonly sender: Sender;
}

/** Uploads that wait for a decoder, and the senders of those in progress. */
export interface Turns<Upload extends Waiting> {
  /** Adds an upload; false: too many wait. */
  add(upload: Upload): boolean;
  /** Number of uploads in progress. */
  running(): number;
  /**
   * Takes the next upload, which is then in progress; null if none may start. `isReserve`: only one of an application
   * without any in progress.
   */
  take(isReserve?: boolean): Upload | null;
  /** The upload of this sender is no longer in progress. */
  end(sender: Sender): void;
  /** Removes an upload that waits; false: it does not. */
  remove(upload: Upload): boolean;
  /** Removes and returns all that wait. */
  clear(): Upload[];
}

/**
 * Creates the queue. The next turn is that of the application with the fewest uploads in progress; among those, of the
 * one that waits for its turn the longest, behind all others the one that had the last turn. A session has one upload
 * in progress at most.
 */
export function createTurns<Upload extends Waiting>(limits: WaitingLimits): Turns<Upload> {
  /** In the order of the next turns. */
  const waiting = new Map<string, Upload[]>();
  const inProgress: Sender[] = [];
  let lastApplicationId: string | null = null;

  const all = (): Upload[] => [...waiting.values()].flat();
  const inProgressOf = (applicationId: string): number =>
    inProgress.filter((sender) => sender.applicationId === applicationId).length;
  /** Lower ones have the next turn. */
  const rankOf = ({ sender: { applicationId } }: Upload): number =>
    2 * inProgressOf(applicationId) + (applicationId === lastApplicationId ? 1 : 0);
  const mayStart = ({ sender }: Upload): boolean =>
    sender.session === null || !inProgress.some(({ session }) => session === sender.session);

  const remove = (upload: Upload): boolean => {
    const { applicationId } = upload.sender;
    const own = waiting.get(applicationId) ?? [];
    const rest = own.filter((other) => other !== upload);
    if (rest.length === own.length) return false;
    if (rest.length === 0) waiting.delete(applicationId);
    else waiting.set(applicationId, rest);
    return true;
  };

  return {
    add: (upload) => {
      const { applicationId, session } = upload.sender;
      const own = waiting.get(applicationId) ?? [];
      const ofSession = session === null ? [] : own.filter(({ sender }) => sender.session === session);
      const isFull =
        all().length >= limits.all || own.length >= limits.ofApplication || ofSession.length >= limits.ofSession;
      if (!isFull) waiting.set(applicationId, [...own, upload]);
      return !isFull;
    },
    running: () => inProgress.length,
    take: (isReserve = false) => {
      const firsts = [...waiting.entries()]
        .filter(([applicationId]) => !isReserve || inProgressOf(applicationId) === 0)
        .map(([, own]) => own.find(mayStart))
        .filter((first) => first !== undefined);
      const [next] = firsts.toSorted((a, b) => rankOf(a) - rankOf(b));
      if (!next) return null;
      const { applicationId } = next.sender;
      remove(next);
      lastApplicationId = applicationId;
      // The rest of the application waits behind all others.
      const rest = waiting.get(applicationId);
      if (rest) {
        waiting.delete(applicationId);
        waiting.set(applicationId, rest);
      }
      inProgress.push(next.sender);
      return next;
    },
    end: (sender) => {
      const at = inProgress.indexOf(sender);
      if (at >= 0) inProgress.splice(at, 1);
    },
    remove,
    clear: () => {
      const cleared = all();
      waiting.clear();
      return cleared;
    },
  };
}
