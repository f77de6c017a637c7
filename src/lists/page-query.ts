import { Type } from "@fastify/type-provider-typebox";

/** How a list is asked for, as the document says it; `readPage` reads it. */
export const pageQuery = Type.Object({
  pageSize: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2147483647,
      default: 20,
      description: "Entries of a page; 0 is 20, and more than 100 is 100.",
    }),
  ),
  page: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2147483647,
      default: 1,
      description: "Which page, from 1; 0 is 1. A page past the end is empty.",
    }),
  ),
  First: Type.Optional(
    Type.Boolean({ default: false, description: "Only the newest entry. Wins over All. In any letter case." }),
  ),
  All: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "No pages: the newest 5,000 entries at once, and a Link to the next where there are more. In any letter case.",
    }),
  ),
  timeframe: Type.Optional(
    Type.String({
      default: "all",
      description:
        "Only what was booked, or taught, in this time: `all`, `today`, `yesterday`, `week`, `month`, `year` (to date, UTC, weeks " +
        "start on Monday), a number of days, weeks, months or years back (`30d`, `4w`, `6m`, `1y`), an ISO 8601 duration " +
        "back (`P30D`), or an ISO 8601 interval (`2026-01-01/2026-02-01`, an open end is `..`). In any letter case.",
      examples: ["month", "30d", "2026-01-01/2026-02-01"],
    }),
  ),
});

/** What every answer to it may carry. */
export const PAGE_HEADERS = {
  link: "Where the first, prev, next and last page are (RFC 8288). Follow `next` until there is none.",
};
