import { pathId } from "../http/schema-members.ts";
import { operation } from "../http/operation.ts";
import { EnrollmentBody, UserResponse } from "./schema.ts";

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
  summary: "Enrol a user",
  description:
    "Creates a user of your application, who can earn points from now on. For an e-mail address that is already " +
    "enrolled, the existing user is returned unchanged, so it is safe to send an enrolment again. Use this if you " +
    "already have the user's consent; otherwise open a session for the hosted consent page.",
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
  ],
  responses: {
    200: { description: "The user.", schema: UserResponse, examples: [{ summary: "A new user", value: NEW_USER }] },
  },
});

/** GET /users/{id}/summary */
export const getUserSummary = operation({
  id: "getUserSummary",
  method: "GET",
  path: "/users/:id/summary",
  tag: "Users",
  summary: "Read a user's balance",
  description: "The user with the points earned so far. The figures change as soon as a transaction is credited.",
  params: pathId("The user's id, as returned by the enrolment."),
  responses: {
    200: {
      description: "The user.",
      schema: UserResponse,
      examples: [{ summary: "A user with points", value: EARNING_USER }],
    },
  },
});
