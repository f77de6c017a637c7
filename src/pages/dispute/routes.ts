import type { FastifyReply, FastifyRequest } from "fastify";
import { createPlaces } from "../../http/places.ts";
import type { Server } from "../../http/server.ts";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { FrameOf } from "../../html/page.ts";
import { addressIn } from "../../html/document.ts";
import type { Frame } from "../../html/document.ts";
import type { Database } from "../../postgres/postgres.ts";
import { Problem } from "../../problems.ts";
import { isAlreadyOpen } from "../../receipts/disputes/dispute.ts";
import type { NewDispute } from "../../receipts/disputes/dispute.ts";
import type { DisputedReceipt, Disputes } from "../../receipts/disputing/dispute.task.ts";
import { PAGE_PATHS } from "../../sessions/session.ts";
import type { DisputeKind } from "../../webhooks/event.ts";
import { sentVisit } from "../store.ts";
import type { SentVisit } from "../store.ts";
import { DISPUTES_PATH, NOTHING_TYPED, readDispute, subjectIn } from "./form.ts";
import type { Subject } from "./form.ts";
import { disputeFormPage, disputeListPage } from "./page.ts";
import type { DisputePage } from "./page.ts";

export interface DisputePageDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly disputes: Pick<Disputes, "read" | "open">;
}

/** Forms that are being stored at once, in all and of one session: each waits for the receipt's row. */
const STORING = { max: 32, perSession: 2 };
const BUSY_RETRY_SECONDS = 1;

/** A session with its receipt; null: nothing on it may be disputed now. */
interface Found {
  readonly visit: SentVisit;
  readonly receipt: DisputedReceipt | null;
  readonly frame: Frame;
  /** Addresses with the session and the language. */
  readonly list: string;
  readonly progress: string;
}

/** Adds the pages on which a person reports what is wrong on their receipt: a list, and a form for each entry. */
export function disputePageRoutes(scope: Server, deps: DisputePageDeps, frameOf: FrameOf): void {
  const path = PAGE_PATHS.receipt + DISPUTES_PATH;
  const storing = createPlaces(STORING);

  scope.get(path, async (request, reply) => {
    const found = await find(deps, frameOf, request);
    const { receipt, frame } = found;
    if (!receipt) return redirectFromPage(reply, found.progress);
    const page = pageOf(found, receipt);
    const subject = subjectIn(request.query);
    if (subject === null) return sendPage(reply, 200, disputeListPage(frame, page));
    if (!isOpenTo(receipt, subject)) return redirectFromPage(reply, found.list);
    return sendPage(reply, 200, disputeFormPage(frame, { ...page, subject, typed: NOTHING_TYPED, errors: {} }));
  });

  scope.post(path, async (request, reply) => {
    const found = await find(deps, frameOf, request);
    const { applicationId, receiptId } = found.visit.session;
    const free = storing.take({ application: applicationId, session: receiptId });
    if (!free) throw new Problem("unavailable", { retryAfterSeconds: BUSY_RETRY_SECONDS });
    try {
      return await store(deps, found, request, reply);
    } finally {
      free();
    }
  });
}

async function find({ database, now, disputes }: DisputePageDeps, frameOf: FrameOf, request: FastifyRequest) {
  const visit = await sentVisit(database, request.query, now());
  if (!visit) throw new Problem("sessionNotFound");
  const { applicationId, receiptId, locale } = visit.session;
  const frame = frameOf(request, locale);
  const receipt = await disputes.read({ applicationId, receiptId });
  const addresses = addressesOf(frame, visit.token);
  const inLanguage = {
    list: addressIn(frame, addresses.address),
    progress: addressIn(frame, addresses.progressAddress),
  };
  return { visit, receipt, frame, ...inLanguage } satisfies Found;
}

function addressesOf({ basePath }: Frame, token: string) {
  const base = `${basePath}${PAGE_PATHS.receipt}`;
  return {
    address: `${base}${DISPUTES_PATH}?sessionId=${token}`,
    progressAddress: `${base}/progress?sessionId=${token}`,
  };
}

function pageOf({ visit, frame }: Found, { shown, disputes, isFull }: DisputedReceipt): DisputePage {
  return { brand: visit.application, shown, disputes, isFull, ...addressesOf(frame, visit.token) };
}

/** Whether the form about it can be shown: there is such a line, and it is not reported already. */
function isOpenTo({ shown, disputes, isFull }: DisputedReceipt, subject: Subject): boolean {
  if (isFull) return false;
  if (!("lineId" in subject))
    return subject.kind === "missing_line" || !isAlreadyOpen(disputes, asked(subject.kind, null));
  const { lineId } = subject;
  return shown.lines.some(({ id }) => id === lineId) && !isAlreadyOpen(disputes, asked("not_mine", lineId));
}

function asked(kind: DisputeKind, lineId: string | null): NewDispute {
  return { kind, lineId, expected: null, price: null, note: null };
}

/** Stores a sent form, or shows it again with its errors. */
async function store(deps: DisputePageDeps, found: Found, request: FastifyRequest, reply: FastifyReply) {
  const { visit, receipt, frame } = found;
  const subject = subjectIn(request.query);
  if (!receipt) return redirectFromPage(reply, found.progress);
  if (subject === null) return redirectFromPage(reply, found.list);
  const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const { dispute, typed, errors } = readDispute(fields, subject, deps.now());
  if (!dispute) {
    if (!isOpenTo(receipt, subject)) return redirectFromPage(reply, found.list);
    return sendPage(reply, 400, disputeFormPage(frame, { ...pageOf(found, receipt), subject, typed, errors }));
  }
  const { applicationId, receiptId } = visit.session;
  const outcome = await deps.disputes.open({ applicationId, receiptId }, dispute);
  if (outcome === "busy") throw new Problem("unavailable", { retryAfterSeconds: BUSY_RETRY_SECONDS });
  // Stored or not, the list shows how it is now.
  return redirectFromPage(reply, outcome === "closed" ? found.progress : found.list);
}
