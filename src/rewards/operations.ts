import { Type } from "typebox";
import { operation } from "../http/operation.ts";
import { code, pathId } from "../http/schema-members.ts";
import { PAGE_HEADERS, pageQuery } from "../lists/page-query.ts";
import responses from "../openapi-examples/rewards.json" with { type: "json" };
import { TIER } from "../points/codes.ts";
import {
  CodesBody,
  CodesResponse,
  NewRewardBody,
  RemovedReward,
  RewardChangeBody,
  RewardList,
  RewardResponse,
  UserRewardList,
} from "./schema.ts";

const rewardInPath = pathId("The reward's id.");

/** POST /rewards */
export const addReward = operation({
  id: "addReward",
  method: "POST",
  path: "/rewards",
  tag: "Rewards",
  scope: "catalogue.write",
  isAudited: true,
  summary: "Add a reward",
  description:
    "Adds a reward to your catalogue, with its price in points. Limit it by `stock`, by time, and by the tier of a member. " +
    "With `codes` made each redemption gets a new code; with pool one of those that you load with " +
    "`POST /rewards/{id}/codes`. An application has at most 500 rewards.",
  body: NewRewardBody,
  examples: [
    {
      summary: "A voucher with a code that the service makes",
      value: {
        name: "A free coffee",
        points: 200,
        brand: "Larkmeadow Market",
        category: "Drinks",
        description: "Any hot drink, any size.",
        offer: "One free",
        terms: ["One for each visit"],
        validTill: "2026-12-31T23:59:59Z",
        stock: 500,
        codes: "made",
      },
    },
  ],
  responses: {
    200: {
      description: "The reward.",
      schema: RewardResponse,
      examples: [{ summary: "A free coffee", value: responses.addReward }],
    },
  },
});

/** GET /rewards */
export const listRewards = operation({
  id: "listRewards",
  method: "GET",
  path: "/rewards",
  tag: "Rewards",
  scope: "catalogue.read",
  summary: "List your rewards",
  description: "The rewards of your catalogue, the newest first; those that you removed are not in it.",
  query: pageQuery,
  responses: {
    200: {
      description: "A page of rewards.",
      schema: RewardList,
      examples: [{ summary: "The only reward", value: responses.listRewards }],
      headers: PAGE_HEADERS,
    },
  },
});

/** GET /rewards/{id} */
export const getReward = operation({
  id: "getReward",
  method: "GET",
  path: "/rewards/:id",
  tag: "Rewards",
  scope: "catalogue.read",
  summary: "Read a reward",
  description: "One reward of your catalogue, with what is left of it.",
  params: rewardInPath,
  responses: {
    200: {
      description: "The reward.",
      schema: RewardResponse,
      examples: [{ summary: "A free coffee", value: responses.addReward }],
    },
  },
});

/** PATCH /rewards/{id} */
export const changeReward = operation({
  id: "changeReward",
  method: "PATCH",
  path: "/rewards/:id",
  tag: "Rewards",
  scope: "catalogue.write",
  isAudited: true,
  summary: "Change a reward",
  description:
    "Changes the members that are sent; null clears a time or the stock. `stock` is what is left from now on. Redemptions " +
    "keep the reward as it was when they were made.",
  params: rewardInPath,
  body: RewardChangeBody,
  examples: [{ summary: "Another hundred, at another price", value: { stock: 100, points: 250 } }],
  responses: {
    200: {
      description: "The reward after the change.",
      schema: RewardResponse,
      examples: [{ summary: "A free coffee", value: responses.addReward }],
    },
  },
});

/** DELETE /rewards/{id} */
export const removeReward = operation({
  id: "removeReward",
  method: "DELETE",
  path: "/rewards/:id",
  tag: "Rewards",
  scope: "catalogue.write",
  isAudited: true,
  summary: "Remove a reward",
  description:
    "Nobody can redeem it any more. Vouchers that were given can still be used, and redemptions keep the reward as it was.",
  params: rewardInPath,
  responses: {
    200: {
      description: "It was removed.",
      schema: RemovedReward,
      examples: [{ summary: "Removed", value: responses.removeReward }],
    },
  },
});

/** POST /rewards/{id}/codes */
export const loadRewardCodes = operation({
  id: "loadRewardCodes",
  method: "POST",
  path: "/rewards/:id/codes",
  tag: "Rewards",
  scope: "catalogue.write",
  isAudited: true,
  summary: "Load voucher codes",
  description:
    "Adds codes to the pool of a reward with `codes` pool, at most 1,000 a request and 100,000 a reward. A code is unique " +
    "in your application: those that are there already are returned in `duplicates`. The operator can load a CSV with " +
    "`reward codes`.",
  params: rewardInPath,
  body: CodesBody,
  examples: [{ summary: "Two codes", value: { codes: ["LARK-7GQ2-93", "LARK-PX41-08"] } }],
  responses: {
    200: {
      description: "What became of the codes.",
      schema: CodesResponse,
      examples: [{ summary: "Two codes", value: responses.loadRewardCodes }],
    },
  },
});

/** GET /users/{id}/rewards */
export const listUserRewards = operation({
  id: "listUserRewards",
  method: "GET",
  path: "/users/:id/rewards",
  tag: "Rewards",
  scope: "users.read",
  summary: "List what a user can have now",
  description:
    "The rewards that are valid now, in stock, and open to the member's tier, the newest first; those that cost more " +
    "points than the user has are in it, with the points that are missing. If your programme has tiers, the tier is that of " +
    "the user, and a `tier` that you send is ignored; otherwise send the tier that the user has with you. With `allTiers` " +
    "rewards of higher tiers are in it as well, with `available` false.",
  params: pathId("The user's id."),
  query: Type.Object({
    ...pageQuery.properties,
    tier: Type.Optional(code(TIER, "The user's tier, unless your programme has tiers. Default: 0.")),
    allTiers: Type.Optional(
      Type.Boolean({ default: false, description: "Lists rewards of higher tiers, too, with `available` false." }),
    ),
  }),
  responses: {
    200: {
      description: "A page of rewards.",
      schema: UserRewardList,
      examples: [{ summary: "The only reward", value: responses.listUserRewards }],
      headers: PAGE_HEADERS,
    },
  },
});
