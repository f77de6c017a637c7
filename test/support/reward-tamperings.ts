// Changes by hand to redemptions, codes, stocks, corrections and expiries: a verification must find them.
import { UNKNOWN } from "./tamperings.ts";
import type { Person, Tamperings } from "./tamperings.ts";

/** The redemption of a record. */
const of = (recordId: string) => `record_id = '${recordId}'`;
const codeOf = (recordId: string) => `code = (SELECT code FROM redemptions WHERE ${of(recordId)})
  AND application_id = (SELECT application_id FROM redemptions WHERE ${of(recordId)})`;
const rewardOf = (recordId: string) => `id = (SELECT reward_id FROM redemptions WHERE ${of(recordId)})`;

export const TAMPERINGS_OF_REWARDS: Tamperings = {
  "a redemption removed": ({ mine }) => ({
    sql: [`DELETE FROM redemptions WHERE ${of(mine.used)}`],
    what: /^record .*: its redemption is missing$/,
  }),
  "a redemption of no record": ({ mine }) => ({
    sql: [`UPDATE redemptions SET record_id = '${UNKNOWN}' WHERE ${of(mine.used)}`],
    what: /^redemption .*: its record is not one of this user/,
  }),
  "a redemption with the record of another": ({ mine }) => ({
    sql: [`UPDATE redemptions SET record_id = '${mine.pooled}' WHERE ${of(mine.used)}`],
    what: /^redemption .*: its record is not its own/,
  }),
  "a redemption of another application": ({ mine }) => ({
    sql: [
      `UPDATE redemptions SET application_id = (SELECT id FROM applications WHERE id <> application_id LIMIT 1)
         WHERE ${of(mine.stocked)}`,
    ],
    what: /^redemption .*: its record is not its own/,
  }),
  "a reservation that was completed without its record": ({ mine }) => ({
    sql: [`UPDATE redemptions SET state = 'completed' WHERE ${of(mine.reserved)}`],
    what: /its state is not that of its record/,
  }),
  "a refunded redemption made usable again": ({ mine }) => ({
    sql: [`UPDATE redemptions SET state = 'completed' WHERE ${of(mine.refunded)}`],
    what: /its state is not that of its record/,
  }),
  "a refund whose redemption did not end": ({ mine }) => ({
    sql: [`DELETE FROM record_changes WHERE ${of(mine.refunded)}`],
    what: /gives points back, and its redemption did not end/,
  }),
  "a redemption that is reserved afterwards": ({ mine }) => ({
    sql: [`UPDATE redemptions SET hold_until = now() WHERE ${of(mine.stocked)}`],
    what: /reserved, or not, against its record/,
  }),
  "a voucher used that was refunded": ({ mine }) => ({
    sql: [`UPDATE redemptions SET used_at = now(), used_till = 'till 2' WHERE ${of(mine.refunded)}`],
    what: /used, and not completed/,
  }),
  "a redemption used that has no code": ({ mine }) => ({
    sql: [`UPDATE redemptions SET used_at = now(), used_till = 'till 2' WHERE ${of(mine.stocked)}`],
    what: /used without a code or a till/,
  }),
  "a used voucher that can be used again": ({ mine }) => ({
    sql: [`UPDATE redemptions SET used_at = NULL WHERE ${of(mine.used)}`],
    what: /used without a code or a till/,
  }),
  "a code given to two redemptions": ({ mine }) => ({
    sql: [
      `UPDATE redemptions SET code = (SELECT code FROM redemptions WHERE ${of(mine.pooled)}) WHERE ${of(mine.used)}`,
    ],
    what: /its code is held by another, or void/,
  }),
  "a given code made void": ({ mine }) => ({
    sql: [`UPDATE voucher_codes SET user_id = NULL, redemption_id = NULL WHERE ${codeOf(mine.pooled)}`],
    what: /its code is held by another, or void/,
  }),
  "a given code put back into its pool": ({ mine }) => ({
    sql: [`UPDATE voucher_codes SET is_free = true WHERE ${codeOf(mine.pooled)}`],
    what: /^code in place .*: free, and it has a holder or no pool/,
  }),
  "a code of no redemption": ({ mine }) => ({
    sql: [`UPDATE voucher_codes SET redemption_id = '${UNKNOWN}' WHERE ${codeOf(mine.pooled)}`],
    what: /^code in place .*: its holder has no such redemption/,
  }),
  "a second code for a redemption": ({ mine }) => ({
    sql: [
      `UPDATE voucher_codes AS second SET user_id = first.user_id, redemption_id = first.redemption_id, is_free = false
         FROM voucher_codes AS first WHERE first.${codeOf(mine.pooled).replace("application_id =", "first.application_id =")}
           AND second.reward_id = first.reward_id AND second.is_free`,
    ],
    what: /^code in place .*: its redemption has another code/,
  }),
  "a code kept by a redemption that has ended": ({ mine }) => ({
    sql: [
      `UPDATE redemptions SET state = 'refunded' WHERE ${of(mine.pooled)}`,
      `INSERT INTO record_changes VALUES ('${mine.userId}', '${mine.pooled}', 4, now())`,
    ],
    what: /^code in place .*: of a pool, and its redemption has ended/,
  }),
  "a code from the pool of another reward": ({ mine }) => ({
    sql: [
      `UPDATE voucher_codes SET reward_id = (SELECT id FROM rewards WHERE stock IS NOT NULL LIMIT 1)
         WHERE ${codeOf(mine.pooled)}`,
    ],
    what: /^code in place .*: of the pool of another reward/,
  }),
  "a stock filled up by hand": ({ mine }) => ({
    sql: [`UPDATE rewards SET stock = stock + 10 WHERE ${rewardOf(mine.stocked)}`],
    what: /^reward .*: what is left and what was taken are not its stock$/,
    isOfNone: true,
  }),
  "a redemption that did not take from the stock": ({ mine }) => ({
    sql: [`UPDATE redemptions SET took_stock = false WHERE ${of(mine.stocked)}`],
    what: /^reward .*: what is left and what was taken are not its stock$/,
    isOfNone: true,
  }),
  "a stock taken from and no reward": ({ mine }) => ({
    sql: [`UPDATE redemptions SET reward_id = NULL WHERE ${of(mine.stocked)}`],
    what: /took from a stock, and has no reward/,
  }),
  "a number of free codes changed": ({ mine }) => ({
    sql: [`UPDATE rewards SET free_codes = free_codes + 1 WHERE ${rewardOf(mine.pooled)}`],
    what: /^reward .*: not the number of its free codes$/,
    isOfNone: true,
  }),
  "a code removed": ({ mine }) => ({
    sql: [
      `DELETE FROM voucher_codes WHERE is_free AND reward_id = (SELECT reward_id FROM redemptions WHERE ${of(mine.pooled)})`,
    ],
    what: /^reward .*: not the number of its free codes, not the number of its loaded codes$/,
    isOfNone: true,
  }),
  "a redemption that cost less than its reward": ({ mine }) => ({
    sql: [
      `UPDATE records SET total_points = -1, other_points = -1 WHERE id = '${mine.used}'`,
      `UPDATE balances SET available_points = available_points + 1 WHERE user_id = '${mine.userId}'`,
    ],
    what: /its points are not the price of its reward/,
  }),
  "a redemption of another reward": ({ mine }) => ({
    sql: [
      `UPDATE redemptions SET reward_id = (SELECT reward_id FROM redemptions WHERE ${of(mine.pooled)}) WHERE ${of(mine.used)}`,
    ],
    what: /its record shows another reward/,
  }),
  "a reference of a redemption released": ({ mine }) => ({
    sql: [`DELETE FROM record_references WHERE ${of(mine.used)}`],
    what: /its reference is not noted as used/,
  }),
};

/** Makes the adjustment of -10 the correction of a receipt, with the meal as its award. */
export const corrected = ({ userId, meal }: Person, { points = -10, number = 1 } = {}) => [
  `UPDATE records SET source = 'receipt' WHERE id = '${meal}'`,
  `UPDATE records SET related_id = '${meal}', is_lifetime = true, rule_inputs = '{"correction": {}}'
     WHERE user_id = '${userId}' AND body ->> 'reference' LIKE 'spent %'`,
  `UPDATE balances SET lifetime_points = lifetime_points - 10 WHERE user_id = '${userId}'`,
  `INSERT INTO receipt_corrections
     SELECT user_id, (SELECT submission_id FROM records WHERE id = '${meal}'), ${number}, submission_id, 'Misread', '{}', '{}',
            id, ${points}, now() FROM records WHERE user_id = '${userId}' AND body ->> 'reference' LIKE 'spent %'`,
];
/** Makes the adjustment of -10 an expiry. */
export const expired = ({ userId }: Person, points: number) => [
  `UPDATE records SET operation = 5, is_lifetime = false, other_points = -${points}, total_points = -${points}
     WHERE user_id = '${userId}' AND body ->> 'reference' LIKE 'spent %'`,
  `UPDATE balances SET available_points = available_points + 10 - ${points} WHERE user_id = '${userId}'`,
  `DELETE FROM record_references WHERE user_id = '${userId}' AND reference LIKE 'spent %'`,
];

export const TAMPERINGS_OF_OTHERS: Tamperings = {
  "a correction of another receipt": ({ mine }) => ({
    sql: [...corrected(mine), `UPDATE receipt_corrections SET receipt_id = '${UNKNOWN}'`],
    what: /^correction .*: its record corrects another receipt/,
  }),
  "a correction of no record": ({ mine }) => ({
    sql: [...corrected(mine), `UPDATE receipt_corrections SET record_id = '${UNKNOWN}'`],
    what: /^correction .*: its record is not one of this user/,
  }),
  "a correction with the record of another": ({ mine }) => ({
    sql: [...corrected(mine), `UPDATE receipt_corrections SET id = '${UNKNOWN}'`],
    what: /^correction .*: its record is not its own/,
  }),
  "a correction of other points": ({ mine }) => ({
    sql: corrected(mine, { points: -9 }),
    what: /^correction .*: its points are not those of its record/,
  }),
  "a correction whose earlier one was removed": ({ mine }) => ({
    sql: corrected(mine, { number: 2 }),
    what: /^correction .*: an earlier one is missing/,
  }),
  "a correction removed": ({ mine }) => ({
    sql: [...corrected(mine), "DELETE FROM receipt_corrections"],
    what: /corrects a receipt that has no such correction/,
  }),
  "points that expired within a month": ({ mine }) => ({
    sql: expired(mine, 10),
    what: /more expires than was there long enough/,
  }),
};
