import { pathId } from "../http/schema-members.ts";
import { operation } from "../http/operation.ts";
import responses from "../openapi-examples/programme-bonuses.json" with { type: "json" };
import { ReferralCodeResponse } from "./schema.ts";

/** GET /users/{id}/referral-code */
export const getReferralCode = operation({
  id: "getReferralCode",
  method: "GET",
  path: "/users/:id/referral-code",
  tag: "Points",
  scope: "users.read",
  summary: "Read a user's referral code",
  description:
    "The code that the user gives to friends. It is made with the first call, and stays the same. Send it as `referralCode` " +
    "with the enrolment of a new user: once that user has first earned points from a submission, both get what your programme " +
    "gives for a referral.",
  params: pathId("The user's id, as returned by the enrolment."),
  responses: {
    200: {
      description: "The code.",
      schema: ReferralCodeResponse,
      examples: [{ summary: "A code", value: responses.getReferralCode }],
    },
  },
});
