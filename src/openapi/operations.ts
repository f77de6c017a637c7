import { listAuditEntries } from "../audit/operations.ts";
import { findAlternatives } from "../foods/alternatives/operations.ts";
import * as unknownNames from "../unknown-names/operations.ts";
import * as foods from "../foods/operations.ts";
import type { Operation } from "../http/operation.ts";
import * as service from "../http/service-operations.ts";
import * as intakes from "../intakes/operations.ts";
import * as adjustments from "../points/adjustments/operations.ts";
import * as bonuses from "../points/bonuses/operations.ts";
import * as expiry from "../points/expiry/operations.ts";
import * as reversals from "../points/reversals/operations.ts";
import * as points from "../points/operations.ts";
import * as statistics from "../points/statistics/operations.ts";
import * as programs from "../programs/operations.ts";
import * as receiptCorrections from "../receipts/corrections/operations.ts";
import * as receiptDisputes from "../receipts/disputing/operations.ts";
import * as receiptList from "../receipts/list/operations.ts";
import * as receiptReading from "../receipts/reading/operations.ts";
import * as receiptReview from "../receipts/review/operations.ts";
import * as receipts from "../receipts/operations.ts";
import * as redemptions from "../rewards/redemptions/operations.ts";
import { getReferralCode } from "../referrals/operations.ts";
import * as previews from "../programs/preview/operations.ts";
import * as rewards from "../rewards/operations.ts";
import * as vouchers from "../rewards/vouchers/operations.ts";
import * as reports from "../reports/operations.ts";
import * as sessions from "../sessions/operations.ts";
import * as users from "../users/operations.ts";
import * as personal from "../users/personal/operations.ts";
import * as endpoints from "../webhooks/endpoints/operations.ts";
import * as feed from "../webhooks/feed/operations.ts";
import * as deliveries from "../webhooks/log/operations.ts";

/** All operations of the API, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = [
  users.enrollUser,
  sessions.openEnrolmentSession,
  users.getUserSummary,
  statistics.getUserStatistics,
  users.changeUser,
  users.findUsers,
  personal.exportUser,
  personal.eraseUser,
  intakes.trackMeal,
  intakes.trackFood,
  intakes.getMealStatus,
  intakes.getFoodStatus,
  receipts.uploadReceipt,
  sessions.openReceiptSession,
  receipts.getReceiptStatus,
  receiptReading.getReceiptReading,
  receiptList.listReceipts,
  receiptCorrections.correctReceipt,
  receiptCorrections.previewCorrection,
  receiptReview.retryReceipt,
  receiptReview.decideReceipt,
  receiptDisputes.rejectDispute,
  sessions.getSession,
  points.listTransactions,
  points.getTransaction,
  points.explainTransaction,
  adjustments.adjustPoints,
  bonuses.awardBonus,
  getReferralCode,
  reversals.reverseTransaction,
  expiry.moveTestClock,
  programs.saveProgram,
  programs.listPrograms,
  programs.getCurrentProgram,
  programs.getCampaignUsage,
  previews.previewProgram,
  previews.getProgramPreview,
  programs.getProgram,
  programs.publishProgram,
  programs.withdrawProgram,
  rewards.addReward,
  rewards.listRewards,
  rewards.getReward,
  rewards.changeReward,
  rewards.removeReward,
  rewards.loadRewardCodes,
  rewards.listUserRewards,
  redemptions.redeemPoints,
  redemptions.confirmRedemption,
  redemptions.releaseRedemption,
  redemptions.refundRedemption,
  vouchers.getVoucher,
  vouchers.useVoucher,
  reports.getReport,
  listAuditEntries,
  foods.matchName,
  findAlternatives,
  unknownNames.listUnknownNames,
  unknownNames.getUnknownName,
  unknownNames.previewMeaning,
  unknownNames.aliasUnknownName,
  foods.teachAlias,
  foods.listAliases,
  foods.removeAlias,
  foods.teachWord,
  foods.listWords,
  foods.removeWord,
  endpoints.createWebhookEndpoint,
  endpoints.listWebhookEndpoints,
  endpoints.getWebhookEndpoint,
  endpoints.changeWebhookEndpoint,
  endpoints.deleteWebhookEndpoint,
  endpoints.rotateWebhookSecret,
  endpoints.testWebhookEndpoint,
  endpoints.replayWebhooks,
  endpoints.getWebhookReplay,
  deliveries.listWebhookDeliveries,
  deliveries.getWebhookDelivery,
  deliveries.retryWebhookDelivery,
  feed.listEvents,
  service.getLiveness,
  service.getReadiness,
  service.getOpenApi,
];
