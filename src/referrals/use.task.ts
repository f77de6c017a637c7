// The use of referral codes by those who enrol.
import type { FixedWindowCounter } from "../http/fixed-window-counter.ts";
import type { Tx } from "../postgres/postgres.ts";
import { Problem } from "../problems.ts";
import type { EnrolmentAsker, EnrolmentEffects } from "../users/enrolment.ts";
import { readCode } from "./code.ts";
import { isKnownCode, refer, wasReferredBy } from "./store.ts";

/** Many typing errors of people who enrol, and few guesses. */
const UNKNOWN_CODES_A_MINUTE = 60;

export interface CodeUse {
  /** Whether a user of the application has a code. Throws tooManyRequests after many unknown ones. */
  isKnown(tx: Tx, applicationId: string, code: string): Promise<boolean>;
  /** `page`: the code was known when its session was opened, and no person is refused for others' guesses. */
  effectsFor(asker: EnrolmentAsker): Pick<EnrolmentEffects, "refer" | "wasReferredBy">;
}

/** Creates the use of codes. `unknownCodes` counts those of each application: who guesses codes meets many of them. */
export function createCodeUse(deps: {
  readonly unknownCodes: FixedWindowCounter;
  /** The window that they are counted in. */
  readonly windowSeconds: number;
  readonly now: () => Date;
}): CodeUse {
  const { unknownCodes, windowSeconds, now } = deps;
  const limited = async (applicationId: string, find: () => Promise<boolean>): Promise<boolean> => {
    if (unknownCodes.current(applicationId) >= UNKNOWN_CODES_A_MINUTE) {
      throw new Problem("tooManyRequests", { retryAfterSeconds: windowSeconds });
    }
    const isKnown = await find();
    if (!isKnown) unknownCodes.count(applicationId);
    return isKnown;
  };
  const referBy: EnrolmentEffects["refer"] = async (tx, user, typed) => {
    const code = readCode(typed);
    return code !== null && refer(tx, user, code, now());
  };
  return {
    isKnown: (tx, applicationId, typed) =>
      limited(applicationId, async () => {
        const code = readCode(typed);
        return code !== null && isKnownCode(tx, applicationId, code);
      }),
    effectsFor: (asker) => ({
      refer: (tx, user, typed) =>
        asker === "page" ? referBy(tx, user, typed) : limited(user.applicationId, () => referBy(tx, user, typed)),
      wasReferredBy: async (tx, userId, typed) => {
        const code = readCode(typed);
        return code !== null && wasReferredBy(tx, userId, code);
      },
    }),
  };
}
