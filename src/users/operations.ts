import { Type } from "typebox";
import { pathId } from "../http/schema-members.ts";
import { operation } from "../http/operation.ts";
import {
  ChangedUserResponse,
  EnrollmentBody,
  EnrolmentResponse,
  User,
  UserChangeBody,
  UserResponse,
} from "./schema.ts";

const NEW_USER = {
  user: {
    userID: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
    email: "ada@example.com",
    lifetimePoints: 0,
    availablePoints: 0,
    numOfTransactions: 0,
    totalCarbonScore: 0,
    totalGreenProducts: 0,
    createdAt: "2026-01-31T12:00:00.000Z",
    updatedAt: "2026-01-31T12:00:00.000Z",
  },
};

const EARNING_USER = {
  user: {
    ...NEW_USER.user,
    lifetimePoints: 412,
    availablePoints: 412,
    numOfTransactions: 9,
    totalCarbonScore: 198,
    totalGreenProducts: 17,
    updatedAt: "2026-02-02T08:15:30.250Z",
  },
};

/** POST /users/enroll */
export const enrollUser = operation({
  id: "enrollUser",
  method: "POST",
  path: "/users/enroll",
  tag: "Users",
  scope: "users.write",
  summary: "Enrol a user",
  description:
    "Creates a user of your application, who can earn points from now on. For an e-mail address that is already " +
    "enrolled, the existing user is returned unchanged, so it is safe to send an enrolment again; `keptMembers` then " +
    "names the members that you sent with other values than the stored ones, which were kept. Use this if you already " +
    " have the user's consent; otherwise open a session for the hosted consent page. " +
    "With `referralCode` the user is referred by another one; a code that nobody has is a validation error.",
  body: EnrollmentBody,
  examples: [
    { summary: "Required members only", value: { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace" } },
    {
      summary: "All members",
      value: {
        email: "ada@example.com",
        firstName: "Ada",
        lastName: "Lovelace",
        imageUrl: "https://example.com/ada.jpg",
        country: "GB",
        city: "London",
        postalCode: "W1U 6TU",
      },
    },
    {
      summary: "A friend of a user",
      value: { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace", referralCode: "K7QM-2XHP" },
    },
  ],
  responses: {
    200: {
      description: "The user.",
      schema: EnrolmentResponse,
      examples: [
        { summary: "A new user", value: NEW_USER },
        {
          summary: "A user who was enrolled with another family name and city",
          value: { ...EARNING_USER, keptMembers: ["lastName", "city"] },
        },
      ],
    },
  },
});

/** GET /users/{id}/summary */
export const getUserSummary = operation({
  id: "getUserSummary",
  method: "GET",
  path: "/users/:id/summary",
  tag: "Users",
  scope: "users.read",
  summary: "Read a user's balance",
  description:
    "The user with the points earned so far. The figures change as soon as a transaction is credited. " +
    "`pointsExpiring` has what expires next, in an application whose points expire. `tier` has the user's tier, if your " +
    "programme has tiers: also one that was reached by time and is not reported yet.",
  params: pathId("The user's id, as returned by the enrolment."),
  responses: {
    200: {
      description: "The user.",
      schema: UserResponse,
      examples: [
        { summary: "A user with points", value: { user: { ...EARNING_USER.user, pointsExpiring: null, tier: null } } },
        {
          summary: "A user whose points expire",
          value: {
            user: {
              ...EARNING_USER.user,
              pointsExpiring: { points: 120, expiresAt: "2027-02-02T00:00:00.000Z" },
              tier: null,
            },
          },
        },
        {
          summary: "A user with a tier",
          value: {
            user: {
              ...EARNING_USER.user,
              pointsExpiring: null,
              tier: {
                tier: 1,
                name: "Sprout",
                points: EARNING_USER.user.lifetimePoints,
                since: null,
                next: { tier: 2, name: "Leaf", from: 1_000, missingPoints: 1_000 - EARNING_USER.user.lifetimePoints },
              },
            },
          },
        },
      ],
    },
  },
});

/** GET /users */
export const findUsers = operation({
  id: "findUsers",
  method: "GET",
  path: "/users",
  tag: "Users",
  scope: "users.read",
  summary: "Find a user by e-mail address",
  description:
    "The user of your application who has this address, whole and as it was enrolled; there is no search by parts of it. " +
    "`users` is empty if nobody has it. The service logs no queries; see to it that " +
    "your proxies log none either.",
  query: Type.Object({
    email: Type.String({ format: "email", maxLength: 254, description: "Case and surrounding spaces are ignored." }),
  }),
  responses: {
    200: {
      description: "The user, or nobody.",
      schema: Type.Object(
        { users: Type.Array(User, { maxItems: 1, description: "At most one." }) },
        { title: "FoundUsers", description: "The user with an address." },
      ),
      examples: [
        { summary: "Found", value: { users: [EARNING_USER.user] } },
        { summary: "Nobody has the address", value: { users: [] } },
      ],
    },
  },
});

/** PATCH /users/{id} */
export const changeUser = operation({
  id: "changeUser",
  method: "PATCH",
  path: "/users/:id",
  onlyIds: true,
  tag: "Users",
  scope: "users.write",
  isAudited: true,
  summary: "Change a user's data",
  description:
    "Changes the members that you send (JSON merge patch, RFC 7396): null clears an optional one. An e-mail address " +
    "still identifies one user of your application: if another user has it, the response is 409 and nothing changes. " +
    "The id, the points and the transactions stay. The old address is free at once, and enrols as a new user.",
  params: pathId("The user's id, as returned by the enrolment."),
  body: UserChangeBody,
  examples: [
    { summary: "A new address", value: { email: "ada.king@example.com", lastName: "King" } },
    { summary: "Another city, and no picture any more", value: { city: "Ockham", imageUrl: null } },
  ],
  responses: {
    200: {
      description: "The user.",
      schema: ChangedUserResponse,
      examples: [
        {
          summary: "Changed",
          value: {
            user: { ...EARNING_USER.user, email: "ada.king@example.com", updatedAt: "2026-02-03T09:30:00.000Z" },
            changedMembers: ["email", "lastName"],
          },
        },
      ],
    },
  },
  problems: ["emailTaken"],
});
