import type { Progress } from "../progress.ts";
import type { Subject } from "../subject.ts";
import type { Sample } from "./rounds.ts";

/** A measurement of one service in rounds, so that those of two services can alternate. */
export interface Rounds {
  round(n: number): Promise<Sample[]>;
  close(): Promise<void>;
}

export interface Measurement {
  readonly role: "start" | "serve";
  /** After one that warms up and does not count. 0: a single one that counts, since its figure does not vary. */
  readonly rounds: number;
  begin(subject: Subject, progress: Progress): Promise<Rounds>;
}

/** For measurements with nothing to end but the service. */
export const nothingToClose = async (): Promise<void> => {};
