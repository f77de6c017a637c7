// What happens with an enrolment beside the new user. The parts are above this folder, and passed to it.
import type { Tx } from "../postgres/postgres.ts";

/** A user who is enrolled by the tx. */
export interface NewUserId {
  readonly applicationId: string;
  readonly userId: string;
}

export interface EnrolmentEffects {
  /** Gives new users what they get with their enrolment. Returns the number of those who got something. */
  readonly welcome: (tx: Tx, userIds: readonly string[]) => Promise<number>;
  /** Notes whose code a new user has sent. False: nobody has this code. */
  readonly refer: (tx: Tx, user: NewUserId, code: string) => Promise<boolean>;
  /** Whether a user who is enrolled already came with this code. */
  readonly wasReferredBy: (tx: Tx, userId: string, code: string) => Promise<boolean>;
}

/** Who sends an enrolment: an application, or a person on the hosted page. */
export type EnrolmentAsker = "api" | "page";

/** The effects of enrolments in an application now. To be called before the tx: it reads what they need. */
export type EffectsOf = (applicationId: string, asker: EnrolmentAsker) => Promise<EnrolmentEffects>;

/** An enrolment without effects. */
export const NO_EFFECTS: EnrolmentEffects = {
  welcome: async () => 0,
  refer: async () => false,
  wasReferredBy: async () => false,
};
