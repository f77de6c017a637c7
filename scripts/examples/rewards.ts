// The responses about rewards, redemptions and vouchers.
import type { Operation } from "../../src/http/operation.ts";
import * as rewards from "../../src/rewards/operations.ts";
import * as redemptions from "../../src/rewards/redemptions/operations.ts";
import * as vouchers from "../../src/rewards/vouchers/operations.ts";
import type { Json, Recording } from "./recording.ts";

/** Adds rewards, and takes each way that a redemption can go. */
export async function recordRewards({ send, userId, record }: Recording): Promise<void> {
  const user = `/users/${userId}`;
  const valueOf = ({ examples = [] }: Operation, index = 0) => examples[index]!.value as Json;
  const idOf = (response: Json, member: string) => (response[member] as { id: string }).id;
  const addReward = await send("POST", "/rewards", valueOf(rewards.addReward));
  const rewardId = idOf(addReward, "reward");
  const listRewards = await send("GET", "/rewards");
  const listUserRewards = await send("GET", `${user}/rewards`);
  const pool = idOf(await send("POST", "/rewards", { name: "A gift card", points: 900, codes: "pool" }), "reward");
  const loadRewardCodes = await send("POST", `/rewards/${pool}/codes`, valueOf(rewards.loadRewardCodes));
  const redeem = (body: Json) => send("POST", `${user}/redemptions`, body);
  const follow = (redeemed: Json, what: string, body?: Json) =>
    send("POST", `${user}/redemptions/${idOf(redeemed, "transaction")}/${what}`, body);
  const redeemPoints = await redeem({ ...valueOf(redemptions.redeemPoints), rewardId });
  const { code } = (redeemPoints["transaction"] as { reward: { code: string } }).reward;
  const reservePoints = await redeem(valueOf(redemptions.redeemPoints, 1));
  const released = await redeem({ rewardId, reference: "till-7-1094", reserve: true });
  const releaseRedemption = await follow(released, "release");
  const refunded = await redeem({ rewardId, reference: "redeem-88214" });
  record("rewards.json", {
    addReward,
    listRewards,
    removeReward: await send("DELETE", `/rewards/${pool}`),
    loadRewardCodes,
    listUserRewards,
    redeemPoints,
    reservePoints,
    confirmRedemption: await follow(reservePoints, "confirm"),
    releaseRedemption,
    refundRedemption: await follow(refunded, "refund", valueOf(redemptions.refundRedemption)),
    getVoucher: await send("GET", `/vouchers/${code}`),
    useVoucher: await send("POST", `/vouchers/${code}/use`, valueOf(vouchers.useVoucher)),
  });
}
