import { Type } from "typebox";
import type { Static } from "typebox";
import { code, count, instant, nullable, oneOf, points, text } from "../http/schema-members.ts";

const PersonName = { pattern: "\\S", maxLength: 255 };

/** What an enrolment says of a person (specification: Enrollment request). */
const profileMembers = {
  email: Type.String({
    format: "email",
    maxLength: 254,
    description: "Identifies the user. Case and surrounding spaces are ignored.",
  }),
  firstName: Type.String({ ...PersonName, description: "Given name." }),
  lastName: Type.String({ ...PersonName, description: "Family name." }),
  imageUrl: Type.Optional(Type.String({ maxLength: 2048, description: "Address of the user's picture." })),
  country: Type.Optional(Type.String({ maxLength: 255, description: "Country, preferably its ISO 3166 code." })),
  city: Type.Optional(Type.String({ maxLength: 255, description: "Town or city." })),
  postalCode: Type.Optional(Type.String({ maxLength: 255, description: "Postal code." })),
};

/** A person, as in an enrolment without its code. */
export const PersonBody = Type.Object(profileMembers);

/** The body of an enrolment. */
export const EnrollmentBody = Type.Object(
  {
    ...profileMembers,
    referralCode: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "The code of the user who referred this one: only with the enrolment of a new user.",
      }),
    ),
  },
  { title: "Enrollment", description: "A person to enrol as a user." },
);
export type Enrollment = Static<typeof EnrollmentBody>;

/** The members of a profile: those that a change may have. */
export const PROFILE_MEMBERS = Object.keys(profileMembers) as (keyof Static<typeof PersonBody>)[];
/** The members of an enrolment. */
const ENROLLMENT_MEMBERS = Object.keys(EnrollmentBody.properties) as (keyof Enrollment)[];

const { email, firstName, lastName, imageUrl, country, city, postalCode } = profileMembers;

/** The body of a change: a JSON merge patch (RFC 7396). */
export const UserChangeBody = Type.Object(
  {
    email: Type.Optional(email),
    firstName: Type.Optional(firstName),
    lastName: Type.Optional(lastName),
    imageUrl: Type.Optional(nullable(imageUrl)),
    country: Type.Optional(nullable(country)),
    city: Type.Optional(nullable(city)),
    postalCode: Type.Optional(nullable(postalCode)),
  },
  {
    title: "UserChange",
    description: "Changes to a user. Members that are left out stay as they are; null clears an optional one.",
  },
);

/** The User of the specification. */
export const User = Type.Object(
  {
    userID: text("The user's id, used in all other calls."),
    email: text("E-mail address as enrolled, in lower case."),
    lifetimePoints: points("All points ever earned."),
    availablePoints: points("Points that can be spent now."),
    numOfTransactions: count("Earning events credited: receipts, meals and foods."),
    totalCarbonScore: points("Points earned for the climate, over all credited items."),
    totalGreenProducts: count("Credited items with carbon rating 1 or 2 (A or B)."),
    createdAt: instant("When the user was enrolled."),
    updatedAt: instant("When any member above last changed."),
  },
  { title: "User", description: "A user with the balance of their points." },
);

/** The next expiry of a user. */
const PointsExpiry = Type.Object(
  {
    points: count("Points that expire next, unless they are spent before."),
    expiresAt: instant("When they expire: the end of a day (UTC). They are taken within a day after."),
  },
  { title: "PointsExpiry", description: "Points that expire together." },
);
export const pointsExpiring = nullable(
  PointsExpiry,
  "The points that expire next; null if there are none, or the application's points do not expire.",
);
export type NextExpiry = Static<typeof pointsExpiring>;

/** As in rewards. */
const TIER = { none: 0, bronze: 1, silver: 2, gold: 3, platinum: 4 } as const;

/** The tier of a user. */
const UserTier = Type.Object(
  {
    tier: code(TIER, "The tier, as in rewards."),
    name: text("Its name in your programme; empty for none."),
    points: points("Points that count for the tier: all that were earned, or those of the last twelve months."),
    since: nullable(instant("When it was reached; null: the user began with it.")),
    next: nullable(
      Type.Object(
        {
          tier: code(TIER, "The next higher tier."),
          name: text("Its name in your programme."),
          from: count("The least points of its users."),
          missingPoints: count("Points that are missing."),
        },
        { title: "NextTier", description: "The tier that the user reaches next." },
      ),
      "The next higher tier; null: there is none.",
    ),
  },
  { title: "UserTier", description: "The tier of a user." },
);
export const userTier = nullable(UserTier, "The user's tier; null: your programme in force has no tiers.");
export type ShownTier = Static<typeof userTier>;

/** The response of the summary. */
export const UserResponse = Type.Object(
  {
    user: Type.Object(
      { ...User.properties, pointsExpiring, tier: userTier },
      {
        title: "UserSummary",
        description: "A user with the balance of their points, what expires next of them, and their tier.",
      },
    ),
  },
  { title: "UserResponse", description: "One user." },
);

/** The response to an enrolment. */
export const EnrolmentResponse = Type.Object(
  {
    user: User,
    keptMembers: Type.Optional(
      Type.Array(oneOf(ENROLLMENT_MEMBERS, "A member of the enrolment."), {
        description:
          "Only if the user was enrolled before with other data: the members of your request that were not applied. " +
          "The stored values were kept. Change them with `PATCH /users/{id}`.",
      }),
    ),
  },
  { title: "EnrolmentResponse", description: "The user, new or enrolled before." },
);

/** The response to a change. */
export const ChangedUserResponse = Type.Object(
  {
    user: User,
    changedMembers: Type.Array(oneOf(PROFILE_MEMBERS, "A member of the enrolment."), {
      description: "The members whose stored value has changed; empty if all were as sent already.",
    }),
  },
  { title: "ChangedUserResponse", description: "The user after a change." },
);
