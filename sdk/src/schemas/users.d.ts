// Written by generate.ts from the service's OpenAPI document: change that, not this.

/** A person who is to become a user. */
export interface Enrollment {
  /** By which the user is known; compared without regard to case and spaces around it. */
  readonly email: string;
  /** Given name. */
  readonly firstName: string;
  /** Family name. */
  readonly lastName: string;
  /** Address of the user's picture. */
  readonly imageUrl?: string | undefined;
  /** Country, best as its ISO 3166 code. */
  readonly country?: string | undefined;
  /** Town or city. */
  readonly city?: string | undefined;
  /** Postal code. */
  readonly postalCode?: string | undefined;
}

/** A person who is to be asked for their consent. */
export interface EnrolmentSession {
  /** By which the user is known; compared without regard to case and spaces around it. */
  readonly email: string;
  /** Given name. */
  readonly firstName: string;
  /** Family name. */
  readonly lastName: string;
  /** Address of the user's picture. */
  readonly imageUrl?: string | undefined;
  /** Country, best as its ISO 3166 code. */
  readonly country?: string | undefined;
  /** Town or city. */
  readonly city?: string | undefined;
  /** Postal code. */
  readonly postalCode?: string | undefined;
  /** Where the user is led afterwards: https, or a scheme of your app (`myapp://…`), or http://localhost in a sandbox; only what is on your allow-list where you have one. Left out: your application's own. */
  readonly redirectUri?: string | undefined;
  /** Language of the page, a BCP 47 tag such as en-GB. */
  readonly locale?: string | undefined;
}

/** A user with the balance of their points. */
export interface User {
  /** The user's id. Every other call names the user by it. */
  readonly userID: string;
  /** E-mail address as enrolled, in lower case. */
  readonly email: string;
  /** All points ever earned. */
  readonly lifetimePoints: number;
  /** Points that can be spent now. */
  readonly availablePoints: number;
  /** Earning events credited: receipts, meals and foods. */
  readonly numOfTransactions: number;
  /** Points earned for the climate, over everything credited. */
  readonly totalCarbonScore: number;
  /** Items credited whose carbon rating is 1 or 2 (A or B). */
  readonly totalGreenProducts: number;
  /** When the user was enrolled. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** When anything of the above last changed. RFC 3339, UTC, milliseconds. */
  readonly updatedAt: string;
}

/** One user. */
export interface UserAnswer {
  readonly user: User;
}
