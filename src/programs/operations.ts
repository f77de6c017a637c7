import { Type } from "typebox";
import { operation } from "../http/operation.ts";
import { PAGE_HEADERS, pageQuery } from "../lists/page-query.ts";
import responses from "../openapi-examples/programs.json" with { type: "json" };
import { CampaignUsageResponse } from "./campaign-usage.ts";
import * as schema from "./schema.ts";

const versionInPath = Type.Object({ version: Type.String({ description: "The number of a version." }) });

const DEFINITION = {
  name: "Autumn 2026",
  timeZone: "Europe/London",
  points: {
    receipt: { climate: { A: 8, B: 6 }, multiplier: 1.5, pointsMax: 200 },
    food: { multiplier: 0.5 },
    rounding: "nearest",
  },
  limits: { day: { points: 400, meals: 5 }, week: { foodPoints: 100 } },
  minimumSpend: { GBP: 5 },
  eligible: { foodGroups: { except: ["sweet", "snack"] } },
  campaigns: [
    {
      id: "veg-2026",
      name: "Vegetable days",
      from: "2026-01-01",
      till: "2026-12-31",
      when: { foodGroups: ["vegetable"], grades: { health: ["A", "B"] } },
      effect: { multiplier: 2 },
      budget: 50_000,
    },
  ],
};

/** POST /programs */
export const saveProgram = operation({
  id: "saveProgram",
  method: "POST",
  path: "/programs",
  tag: "Points",
  scope: "catalogue.write",
  isAudited: true,
  summary: "Save a programme as a draft",
  description:
    "Saves the points rules of your application as a new version. Nothing earns by it before it is published. Every member of " +
    "the definition may be left out and then is as under `points/1`, which applies while no programme is in force. All errors " +
    "are named at once. The newest 100 drafts are kept; what was published stays for good.",
  body: schema.NewProgramBody,
  examples: [
    { summary: "Points of your own", value: { definition: DEFINITION, note: "More for climate", author: "Mia" } },
  ],
  responses: {
    200: {
      description: "The version.",
      schema: schema.ProgramResponse,
      examples: [{ summary: "A draft", value: responses.saveProgram }],
    },
  },
});

/** GET /programs */
export const listPrograms = operation({
  id: "listPrograms",
  method: "GET",
  path: "/programs",
  tag: "Points",
  scope: "catalogue.read",
  summary: "List the versions of the programme",
  description: "The history: every version that was published, and the drafts, with who did what and when.",
  query: pageQuery,
  responses: {
    200: {
      description: "A page of versions.",
      headers: PAGE_HEADERS,
      schema: schema.ProgramListResponse,
      examples: [{ summary: "One version in force", value: responses.listPrograms }],
    },
  },
});

/** GET /programs/current */
export const getCurrentProgram = operation({
  id: "getCurrentProgram",
  method: "GET",
  path: "/programs/current",
  tag: "Points",
  scope: "catalogue.read",
  summary: "Get the programme in force",
  description: "The version that submissions accepted now are under.",
  responses: {
    200: {
      description: "The version, or null.",
      schema: schema.CurrentProgramResponse,
      examples: [{ summary: "One in force", value: responses.getCurrentProgram }],
    },
  },
});

/** GET /programs/current/campaigns */
export const getCampaignUsage = operation({
  id: "getCampaignUsage",
  method: "GET",
  path: "/programs/current/campaigns",
  tag: "Points",
  scope: "catalogue.read",
  summary: "Get what campaigns have given",
  description:
    "The campaigns of the programme in force with the points that they have given, the number of users, and what is left " +
    "of budgets. A campaign with the same id in a later version goes on counting. Campaigns that the programme does not " +
    "have any more follow.",
  responses: {
    200: {
      description: "The campaigns.",
      schema: CampaignUsageResponse,
      examples: [{ summary: "One with a budget", value: responses.getCampaignUsage }],
    },
  },
});

/** GET /programs/{version} */
export const getProgram = operation({
  id: "getProgram",
  method: "GET",
  path: "/programs/:version",
  tag: "Points",
  scope: "catalogue.read",
  summary: "Get one version of the programme",
  description: "A record names the version that it was booked by in the `rule` of its explanation, as `program/3`.",
  params: versionInPath,
  responses: {
    200: {
      description: "The version.",
      schema: schema.ProgramResponse,
      examples: [{ summary: "A draft", value: responses.saveProgram }],
    },
  },
  problems: ["notFound"],
});

/** POST /programs/{version}/publish */
export const publishProgram = operation({
  id: "publishProgram",
  method: "POST",
  path: "/programs/:version/publish",
  tag: "Points",
  scope: "catalogue.write",
  isAudited: true,
  summary: "Publish a version of the programme",
  description:
    "Lets a draft come into force at a time of your choice, at least 10 seconds ahead. Every submission that is accepted from " +
    "that moment on earns by it, in every process; what was accepted before earns by the version before, however late it is " +
    "scored. To go back to an earlier version, save its definition again and publish that.",
  params: versionInPath,
  body: schema.PublicationBody,
  examples: [{ summary: "At a time", value: { startsAt: "2026-12-01T00:00:00Z", author: "Mia" } }],
  responses: {
    200: {
      description: "The version, scheduled.",
      schema: schema.ProgramResponse,
      examples: [{ summary: "A scheduled version", value: responses.publishProgram }],
    },
  },
  problems: ["notFound", "notADraft"],
});

/** POST /programs/{version}/withdraw */
export const withdrawProgram = operation({
  id: "withdrawProgram",
  method: "POST",
  path: "/programs/:version/withdraw",
  tag: "Points",
  scope: "catalogue.write",
  isAudited: true,
  summary: "Withdraw a version that has not started",
  description: "Takes a published version back while its start is at least 10 seconds away. It stays in the history.",
  params: versionInPath,
  body: schema.WithdrawalBody,
  examples: [{ summary: "By somebody", value: { author: "Mia" } }],
  responses: {
    200: {
      description: "The version, withdrawn.",
      schema: schema.ProgramResponse,
      examples: [{ summary: "A withdrawn version", value: responses.withdrawProgram }],
    },
  },
  problems: ["notFound", "notScheduled"],
});
