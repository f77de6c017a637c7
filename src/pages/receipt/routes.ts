import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Received } from "../../files.ts";
import type { Database } from "../../postgres/postgres.ts";
import { createEventStreams } from "../../http/event-stream.ts";
import { readForm } from "../../http/form.ts";
import type { FormFields } from "../../http/form.ts";
import { keepPrivate, sendPage, wantsJson } from "../../html/page.ts";
import type { FrameOf } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import { Problem } from "../../problems.ts";
import type { ImageField } from "../../receipts/image-field.task.ts";
import type { AcceptReceipt } from "../../receipts/stages/accept.ts";
import { redirectWith } from "../../sessions/redirect.ts";
import { PAGE_PATHS } from "../../sessions/session.ts";
import { completeSession } from "../../sessions/store.ts";
import type { Frame } from "../../html/document.ts";
import type { ImageError } from "../../html/phrases.ts";
import { openVisit, sentVisit } from "../store.ts";
import type { OpenVisit, SentVisit } from "../store.ts";
import { askedDetails, readDetails } from "./details.ts";
import { imageErrorOf, receiptPage } from "./page.ts";
import type { ReceiptPage } from "./page.ts";
import { progressContent, progressPage } from "./progress-page.ts";
import type { ProgressPage } from "./progress-page.ts";
import { progressOf } from "./progress.ts";
import type { ReceiptStatus } from "./progress.ts";

export interface ReceiptPageDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly imageField: ImageField;
  readonly acceptReceipt: AcceptReceipt;
  readonly receiptStatus: (applicationId: string, receiptId: string) => Promise<ReceiptStatus | null>;
}

type Visit = OpenVisit<"receipt">;
type Errors = Pick<ReceiptPage, "typed" | "imageError" | "detailErrors">;

const NO_FAULTS: Errors = { typed: {}, imageError: null, detailErrors: [] };
/** How long a page without script waits for the end, and how often it looks; of one process so many wait at once. */
const WAIT_MS_MAX = 20_000;
const WAIT_LOOK_MS = 500;
const WAITING_MAX = 200;

/** The page of a receipt's photo, and that of its progress. */
export function receiptPageRoutes(scope: Server, deps: ReceiptPageDeps, frameOf: FrameOf): void {
  const { database, now, receiptStatus } = deps;
  const streams = createEventStreams(scope);
  let waiting = 0;

  const showForm = (request: FastifyRequest, reply: FastifyReply, visit: Visit, errors: Errors = NO_FAULTS) => {
    const { token, session, application } = visit;
    const frame = frameOf(request, session.locale);
    const hasError = errors.imageError !== null || errors.detailErrors.length > 0;
    const status = !hasError ? 200 : errors.imageError === "too_large" ? 413 : 400;
    const page = receiptPage(frame, {
      brand: application,
      address: addressOf(frame, "", token),
      progressAddress: addressOf(frame, "/progress", token),
      redirectUri: session.redirectUri,
      isCamera: (request.query as Record<string, unknown>)["source"] !== "picture",
      asked: askedDetails(session.request),
      ...errors,
    });
    return sendPage(reply, status, page);
  };

  /** The receipt that was handed in through the session in the address, and how far it is. */
  const sentReceipt = async (request: FastifyRequest) => {
    const visit = await sentVisit(database, request.query, now());
    const status = visit && (await receiptStatus(visit.session.applicationId, visit.session.receiptId));
    return visit && status && { visit, status };
  };

  const progressOfVisit = (frame: Frame, { token, session, application }: SentVisit, status: ReceiptStatus) => ({
    brand: application,
    progress: progressOf(status),
    address: addressOf(frame, "/progress", token),
    statusAddress: addressOf(frame, "/status", token),
    eventsAddress: addressOf(frame, "/events", token),
    redirectUri: session.redirectUri,
    backUrl: backUrlOf(token, session, status),
  });

  const showProgress = (request: FastifyRequest, reply: FastifyReply, code: number, sent: Sent) => {
    const frame = frameOf(request, sent.visit.session.locale);
    const page: ProgressPage = progressOfVisit(frame, sent.visit, sent.status);
    return sendPage(reply, code, progressPage(frame, page));
  };

  /** A session that cannot be completed any more is a 404; one that was, says in its page what became of the receipt. */
  const showUsed = async (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const isGone = error instanceof Problem && error.problem === "sessionNotFound";
    const sent = isGone && !wantsJson(request) && (await sentReceipt(request));
    if (!sent) throw error;
    return showProgress(request, reply, 404, sent);
  };

  scope.get(PAGE_PATHS.receipt, async (request, reply) => {
    try {
      return showForm(request, reply, await openVisit(database, request.query, "receipt", now()));
    } catch (error) {
      return showUsed(request, reply, error);
    }
  });

  scope.post(PAGE_PATHS.receipt, async (request, reply) => {
    try {
      return await handIn(request, reply);
    } catch (error) {
      return showUsed(request, reply, error);
    }
  });

  const handIn = async (request: FastifyRequest, reply: FastifyReply) => {
    const visit = await openVisit(database, request.query, "receipt", now());
    const { tokenHash, session, application } = visit;
    const { fields, image } = await receiveForm(request, deps.imageField);
    const { details, typed, errors: detailErrors } = readDetails(fields, session.request);
    try {
      if (typeof image === "string" || detailErrors.length > 0) {
        const imageError = typeof image === "string" ? image : null;
        return showForm(request, reply, visit, { typed, imageError, detailErrors });
      }
      const outcome = await deps.acceptReceipt({
        ...session.request,
        ...details,
        application,
        image: { path: image.path, bytes: image.bytes, sha256: Buffer.from(image.sha256, "hex") },
        receiptSource: "hosted_page",
        completeSession: (tx, receiptId) =>
          completeSession(tx, tokenHash, "receipt", { outcome: "sent", receiptId }, now()),
      });
      if (outcome.kind === "session_used") throw new Problem("sessionNotFound");
      if (outcome.kind === "rejected") {
        const imageError = imageErrorOf(outcome.problem);
        if (imageError === null) throw outcome.problem;
        return showForm(request, reply, visit, { typed, imageError, detailErrors });
      }
    } finally {
      if (typeof image !== "string") await deps.imageField.discard(image);
    }
    const sent = await sentReceipt(request);
    if (!sent) throw new Error("a receipt that was just handed in is not to be found");
    // The page itself and not a redirect to it: the way back to the application stands in the very answer.
    return showProgress(request, reply, 200, sent);
  };

  scope.get(`${PAGE_PATHS.receipt}/progress`, async (request, reply) => {
    // For who has no script: the answer is held back until there is a result, rather than a page that reloads itself.
    const waits = (request.query as Record<string, unknown>)["wait"] === "true" && waiting < WAITING_MAX;
    const endsAtMs = performance.now() + (waits ? WAIT_MS_MAX : 0);
    waiting++;
    try {
      for (;;) {
        const sent = await sentReceipt(request);
        if (!sent) throw new Problem("sessionNotFound");
        if (isFinished(sent.status) || performance.now() > endsAtMs || request.raw.destroyed) {
          return showProgress(request, reply, 200, sent);
        }
        await sleep(WAIT_LOOK_MS);
      }
    } finally {
      waiting--;
    }
  });

  scope.get(`${PAGE_PATHS.receipt}/status`, async (request, reply) => {
    const sent = await sentReceipt(request);
    if (!sent) throw new Problem("sessionNotFound");
    const { visit, status } = sent;
    keepPrivate(reply);
    const redirectUrl = backUrlOf(visit.token, visit.session, status);
    return { status: status.status, receiptID: visit.session.receiptId, redirectUrl };
  });

  scope.get(`${PAGE_PATHS.receipt}/events`, async (request, reply) => {
    const sent = await sentReceipt(request);
    if (!sent) throw new Problem("sessionNotFound");
    const { visit } = sent;
    const { applicationId, receiptId, locale } = visit.session;
    const frame = frameOf(request, locale);
    let next: ReceiptStatus | null = sent.status;
    const stream = streams.send(reply, async () => {
      const status = next ?? (await receiptStatus(applicationId, receiptId));
      next = null;
      if (!status) throw new Error("a receipt that was handed in is not to be found");
      const content = progressContent(frame, progressOfVisit(frame, visit, status)).text;
      return { id: status.status, data: { status: status.status, content }, isLast: isFinished(status) };
    });
    if (!stream) throw new Problem("unavailable", { retryAfterSeconds: 5 });
    return stream;
  });
}

interface Sent {
  readonly visit: SentVisit;
  readonly status: ReceiptStatus;
}

function addressOf(frame: Frame, path: string, token: string): string {
  return `${frame.basePath}${PAGE_PATHS.receipt}${path}?sessionId=${token}`;
}

function isFinished({ status }: ReceiptStatus): boolean {
  return status === "Completed" || status === "Failed";
}

function backUrlOf(token: string, session: SentVisit["session"], { status }: ReceiptStatus): string | null {
  if (session.redirectUri === null) return null;
  const ending = status === "Failed" ? "failed" : "completed";
  return redirectWith(session.redirectUri, { status: ending, sessionId: token, receiptId: session.receiptId });
}

type ReceivedImage = Extract<Received, { kind: "ok" }>;

/** Takes the form with its one file, which is to be discarded, or says what the page says about that. */
async function receiveForm(
  request: FastifyRequest,
  imageField: ImageField,
): Promise<{ fields: FormFields; image: ReceivedImage | ImageError }> {
  try {
    const { fields, file } = await readForm(request, imageField);
    if (file?.kind === "too_large") return { fields, image: "too_large" };
    // A file field left empty is sent by browsers as an empty file.
    if (!file || file.bytes === 0) {
      if (file) await imageField.discard(file);
      return { fields, image: "missing" };
    }
    return { fields, image: file };
  } catch (error) {
    const fault = error instanceof Problem ? imageErrorOf(error) : null;
    if (fault === null) throw error;
    return { fields: new Map(), image: fault };
  }
}
