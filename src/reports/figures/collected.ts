// Figures of applications by day, as they are added up in memory. Pure.
import { DAY_MS } from "../../time.ts";

/** The figures of one application on one day: amounts by name. */
export interface DayFigures {
  readonly applicationId: string;
  /** UTC, as in 2026-11-22. */
  readonly day: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** Adds up figures by application and day. */
export interface Collected {
  /** The figures of an application on the day (UTC) of a time. */
  on(applicationId: string, at: Date): Figures;
  /** Those that are not 0. */
  all(): DayFigures[];
}

/** Adds to figures of one day. */
export interface Figures {
  add(figure: string, amount: number): void;
}

/** Returns the UTC day of a time, as in 2026-11-22. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

class Sums implements Figures {
  readonly byName = new Map<string, number>();

  add(figure: string, amount: number): void {
    if (amount !== 0) this.byName.set(figure, (this.byName.get(figure) ?? 0) + amount);
  }
}

/** Creates an empty collection. */
export function createCollected(): Collected {
  const applications = new Map<string, Map<number, Sums>>();
  return {
    on(applicationId, at) {
      const day = Math.floor(at.getTime() / DAY_MS);
      let days = applications.get(applicationId);
      if (!days) applications.set(applicationId, (days = new Map<number, Sums>()));
      let sums = days.get(day);
      if (!sums) days.set(day, (sums = new Sums()));
      return sums;
    },
    all: () =>
      [...applications].flatMap(([applicationId, days]) =>
        [...days].flatMap(([day, { byName }]): DayFigures[] => {
          const figures = Object.fromEntries([...byName].filter(([, amount]) => amount !== 0));
          const isEmpty = Object.keys(figures).length === 0;
          return isEmpty ? [] : [{ applicationId, day: dayOf(new Date(day * DAY_MS)), figures }];
        }),
      ),
  };
}
