import { Type } from "typebox";
import type { Static } from "typebox";
import { instant, nullable, oneOf, text } from "../../http/schema-members.ts";
import { Reward } from "../../points/schema.ts";
import { VOUCHER_STATES } from "./voucher.ts";

export const VoucherDocument = Type.Object(
  {
    code: text("The code."),
    state: oneOf(
      VOUCHER_STATES,
      "reserved: its redemption is not confirmed yet. usable: it can be used now. used, expired: it was used, or its time " +
        "has passed. void: its redemption was undone.",
    ),
    userId: text("The user who has it."),
    transactionID: text("The record of its redemption."),
    reward: Reward,
    validTill: nullable(instant("It can be used before this time; null: for ever.")),
    usedAt: nullable(instant("When it was used; null before.")),
    till: text("Where it was used, as sent; empty when not sent."),
    reference: text("Your own reference of its use; empty when not sent."),
  },
  { title: "Voucher", description: "A code that a user has for points, and what became of it." },
);
export type VoucherDocument = Static<typeof VoucherDocument>;

export const VoucherResponse = Type.Object(
  { voucher: VoucherDocument },
  { title: "VoucherResponse", description: "One voucher." },
);

export const VoucherUseBody = Type.Object(
  {
    till: Type.Optional(Type.String({ maxLength: 255, description: "Where it is used: a shop, a till." })),
    reference: Type.Optional(Type.String({ maxLength: 255, description: "Your own reference of its use." })),
  },
  { title: "VoucherUse", description: "Where a voucher is used." },
);

/** The code in a path. */
export const voucherPath = Type.Object({ code: text("The code, as the record of its redemption has it.") });
