import { Type } from "typebox";
import { operation } from "../../http/operation.ts";
import { instant, pathId } from "../../http/schema-members.ts";
import { EXPORT_PARTS_ABOUT } from "../personal-data.ts";
import type { ExportPart } from "../personal-data.ts";

const userInPath = pathId("The user's id, as returned by the enrolment.");
const row = Type.Record(Type.String(), Type.Unknown(), { description: "A row as it is stored." });
const parts = Object.fromEntries(
  Object.entries(EXPORT_PARTS_ABOUT).map(([part, description]) => [part, Type.Array(row, { description })]),
) as unknown as Record<ExportPart, ReturnType<typeof Type.Array<typeof row>>>;

const NONE = Object.fromEntries(Object.keys(EXPORT_PARTS_ABOUT).map((part) => [part, [] as object[]]));

/** GET /users/{id}/export */
export const exportUser = operation({
  id: "exportUser",
  method: "GET",
  path: "/users/:id/export",
  tag: "Users",
  scope: "privacy",
  isAudited: true,
  summary: "Export a user's data",
  description:
    "All that is stored about a user, as one JSON document (GDPR, articles 15 and 20). Its rows are those of the database: " +
    "their members may change with a release. Images of receipts are not in it. It is sent while it is read, so what is " +
    "booked meanwhile may be in it or not. One export of an application is in progress at a time.",
  params: userInPath,
  responses: {
    200: {
      description: "The data.",
      schema: Type.Object(
        { exportedAt: instant("When the export began."), ...parts },
        { title: "UserExport", description: "All that is stored about a user." },
      ),
      examples: [
        {
          summary: "A new user",
          value: {
            exportedAt: "2026-02-02T08:15:30.250Z",
            ...NONE,
            profile: [
              {
                id: "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70",
                email: "ada@example.com",
                first_name: "Ada",
                last_name: "Lovelace",
                created_at: "2026-01-31T12:00:00.000Z",
              },
            ],
          },
        },
      ],
    },
  },
});

/** DELETE /users/{id} */
export const eraseUser = operation({
  id: "eraseUser",
  method: "DELETE",
  path: "/users/:id",
  onlyIds: true,
  tag: "Users",
  scope: "privacy",
  isAudited: true,
  summary: "Erase a user",
  description:
    "Erases the person: who they were, their submissions, images, sessions and events (GDPR, article 17). It cannot be " +
    "undone. From then on the user does not exist, and a second request is 404. The ledger keeps the numbers of their records " +
    "without a name, so that sums stay right. What a very large user has left after 20 seconds is removed within a day.",
  params: userInPath,
  responses: { 204: { description: "The user is erased.", examples: [] } },
});
