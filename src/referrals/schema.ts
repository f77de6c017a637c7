import { Type } from "typebox";
import { text } from "../http/schema-members.ts";

/** The response with the code of a user. */
export const ReferralCodeResponse = Type.Object(
  {
    referralCode: text(
      "The user's code, as in `K7QM-2XHP`. Case, spaces and the hyphen do not matter when it is sent.",
    ),
  },
  { title: "ReferralCodeResponse", description: "The code of a user, for those whom the user invites." },
);
