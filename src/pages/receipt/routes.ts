import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Received } from "../../files.ts";
import type { Database } from "../../postgres/postgres.ts";
import { createEventStreams } from "../../http/event-stream.ts";
import { readForm } from "../../http/form.ts";
import { createPlaces } from "../../http/places.ts";
import type { FileFields, FormFields } from "../../http/form.ts";
import { problemOf } from "../../http/send-problem.ts";
import { keepPrivate, sendPage, wantsJson } from "../../html/page.ts";
import type { FrameOf } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import { PROBLEMS } from "../../problem-types.ts";
import { Problem } from "../../problems.ts";
import { createTurns } from "../../queue/turns.ts";
import type { Turns } from "../../queue/turns.ts";
import type { ImageField } from "../../receipts/image-field.task.ts";
import type { AcceptReceipt } from "../../receipts/accept.task.ts";
import { redirectWith } from "../../sessions/redirect.ts";
import { PAGE_PATHS, tokenIn } from "../../sessions/session.ts";
import { countAttempt, uncountAttempt } from "../../sessions/store.ts";
import type { SessionEnding } from "../../sessions/ending.task.ts";
import type { Frame } from "../../html/document.ts";
import type { ImageError } from "../../html/phrases.ts";
import { DISPUTES_PATH } from "../dispute/form.ts";
import { UnknownSession, openVisit, sentVisit } from "../store.ts";
import type { OpenVisit, SentVisit } from "../store.ts";
import { missingDetails, readDetails } from "./details.ts";
import type { PhotoLimits } from "./limits.ts";
import { imageErrorOf, receiptPage } from "./page.ts";
import type { ReceiptPage } from "./page.ts";
import { progressContent, progressPage } from "./progress-page.ts";
import type { ProgressPage } from "./progress-page.ts";
import { isSettled, pageStatus, progressOf } from "./progress.ts";
import type { ReceiptStatus } from "./progress.ts";

export interface ReceiptPageDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly imageField: ImageField;
  readonly acceptReceipt: AcceptReceipt;
  readonly limits: PhotoLimits;
  readonly completeSession: SessionEnding["complete"];
  readonly receiptStatus: (applicationId: string, receiptId: string) => Promise<ReceiptStatus | null>;
}

type Visit = OpenVisit<"receipt">;
type FormErrors = Pick<ReceiptPage, "typed" | "imageError" | "detailErrors">;

/** A receipt that was uploaded in a session, with its status. */
interface SentReceipt {
  readonly visit: SentVisit;
  readonly status: ReceiptStatus;
}

interface Context extends ReceiptPageDeps {
  readonly frameOf: FrameOf;
  /** One upload at a time for each session. */
  readonly turns: Turns;
}

const NO_ERRORS: FormErrors = { typed: {}, imageError: null, detailErrors: [] };
/**
 * For pages without script: how long a request waits for the result, how often it checks, how many may wait at once, in
 * all and in one session.
 */
const WAIT_MS_MAX = 20_000;
const WAIT_CHECK_MS = 500;
const WAITING_MAX = 200;
const WAITING_IN_A_SESSION_MAX = 2;
/** A photo that is sent twice waits for the first one, whose outcome it then shows. Drips are not awaited. */
const TURNS = { waitingMax: 8, waitMsMax: 3_000 };

/** Adds the page for the photo of a receipt, and the page of its progress. */
export function receiptPageRoutes(scope: Server, deps: ReceiptPageDeps, frameOf: FrameOf): void {
  const context = { ...deps, frameOf, turns: createTurns(TURNS) };
  formRoutes(scope, context);
  progressRoutes(scope, context);
  eventRoutes(scope, context);
}

function formRoutes(scope: Server, context: Context): void {
  const { database, now } = context;

  scope.get(PAGE_PATHS.receipt, async (request, reply) => {
    try {
      return showForm(context, request, reply, await openVisit(database, request.query, "receipt", now()));
    } catch (error) {
      return showUsed(context, request, reply, error);
    }
  });

  scope.post(PAGE_PATHS.receipt, async (request, reply) => {
    try {
      return await uploadInTurn(context, request, reply);
    } catch (error) {
      // Receiving the rest of the form is not worth keeping the connection.
      if (!request.raw.complete) reply.header("connection", "close");
      return showUsed(context, request, reply, error);
    }
  });
}

function progressRoutes(scope: Server, context: Context): void {
  const waiting = createPlaces({ max: WAITING_MAX, perSession: WAITING_IN_A_SESSION_MAX });

  scope.get(`${PAGE_PATHS.receipt}/progress`, async (request, reply) => {
    let sent = await requireSentReceipt(context, request);
    const { applicationId, receiptId } = sent.visit.session;
    // Without script the response waits until there is a result: better than a page that reloads itself.
    const mayWait = (request.query as Record<string, unknown>)["wait"] === "true" && !isSettled(sent.status);
    const free = mayWait ? waiting.take({ application: applicationId, session: receiptId }) : null;
    const endsAtMs = performance.now() + WAIT_MS_MAX;
    try {
      // Without a place the page shows the state as it is, with its link to look again.
      while (free && !isSettled(sent.status) && performance.now() < endsAtMs && !request.raw.destroyed) {
        await sleep(WAIT_CHECK_MS);
        sent = await requireSentReceipt(context, request);
      }
      return showProgress(context, request, reply, 200, sent);
    } finally {
      free?.();
    }
  });

  scope.get(`${PAGE_PATHS.receipt}/status`, async (request, reply) => {
    const { visit, status } = await requireSentReceipt(context, request);
    keepPrivate(reply);
    const redirectUrl = backUrlOf(visit.token, visit.session, status);
    return { status: pageStatus(status), receiptID: visit.session.receiptId, redirectUrl };
  });
}

function eventRoutes(scope: Server, context: Context): void {
  const { frameOf } = context;
  const streams = createEventStreams(scope);

  scope.get(`${PAGE_PATHS.receipt}/events`, async (request, reply) => {
    const sent = await requireSentReceipt(context, request);
    const { visit } = sent;
    const { applicationId, receiptId, locale } = visit.session;
    const frame = frameOf(request, locale);
    let next: SentReceipt | null = sent;
    const stream = streams.send(reply, { application: applicationId, session: receiptId }, async () => {
      const current = next ?? (await findSentReceipt(context, request));
      next = null;
      // The user was erased, or the application suspended.
      if (!current) return null;
      const { status } = current;
      const content = progressContent(frame, progressPageOf(frame, visit, status)).text;
      const name = pageStatus(status);
      return { id: name, data: { status: name, content }, isLast: isSettled(status) };
    });
    if (!stream) throw new Problem("unavailable", { retryAfterSeconds: 5 });
    return stream;
  });
}

/** Lets a session have one upload in progress, and counts it as an attempt unless the service itself refuses it. */
async function uploadInTurn(context: Context, request: FastifyRequest, reply: FastifyReply) {
  const { database, now, turns } = context;
  const token = tokenIn(request.query);
  if (token === null) throw new Problem("sessionNotFound");
  const shown = await turns.run(token, async () => {
    const visit = await openVisit(database, request.query, "receipt", now());
    if (!(await countAttempt(database, visit.tokenHash, now()))) throw new Problem("sessionNotFound");
    try {
      return await upload(context, request, reply, visit);
    } catch (error) {
      if (isOwnFailure(error)) await uncountAttempt(database, visit.tokenHash).catch(() => undefined);
      throw error;
    }
  });
  if (shown !== null) return shown;
  throw new Problem("tooManyRequests", {
    detail: "Another upload of this session is in progress.",
    retryAfterSeconds: TURNS.waitMsMax / 1_000,
  });
}

/** Whether an upload failed without anything that its sender did. */
function isOwnFailure(error: unknown): boolean {
  const problem = problemOf(error);
  return problem === undefined || PROBLEMS[problem.problem].status >= 500;
}

/** Accepts the form: shows it again with its errors, or the progress of the receipt. */
async function upload(context: Context, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const { imageField, acceptReceipt, completeSession, now } = context;
  const { tokenHash, session, application } = visit;
  const { fields, images } = await receiveForm(request, imageField.of(application.id, "hosted_page"));
  const { details, typed, errors: detailErrors } = readDetails(fields, session.request);
  try {
    if (typeof images === "string" || detailErrors.length > 0) {
      const imageError = typeof images === "string" ? images : null;
      return showForm(context, request, reply, visit, { typed, imageError, detailErrors });
    }
    const outcome = await acceptReceipt({
      ...session.request,
      ...details,
      application,
      images,
      receiptSource: "hosted_page",
      session: tokenHash.toString("hex"),
      completeSession: async (tx, receiptId) => {
        const completion = { outcome: "sent", receiptId } as const;
        return (await completeSession(tx, { tokenHash, page: "receipt", completion, at: now() })) !== null;
      },
    });
    if (outcome.kind === "session_used") throw new Problem("sessionNotFound");
    if (outcome.kind === "rejected") {
      const imageError = imageErrorOf(outcome.problem);
      if (imageError === null) throw outcome.problem;
      return showForm(context, request, reply, visit, { typed, imageError, detailErrors });
    }
  } finally {
    if (typeof images !== "string") for (const image of images) await imageField.discard(image);
  }
  const sent = await findSentReceipt(context, request);
  // The application was suspended meanwhile, or the user erased.
  if (!sent) throw new Problem("sessionNotFound");
  // The page itself and not a redirect to it: so this very response has the link back to the application.
  return showProgress(context, request, reply, 200, sent);
}

function showForm(context: Context, request: FastifyRequest, reply: FastifyReply, visit: Visit, errors = NO_ERRORS) {
  const { token, session, application } = visit;
  const frame = context.frameOf(request, session.locale);
  const hasError = errors.imageError !== null || errors.detailErrors.length > 0;
  const status = !hasError ? 200 : errors.imageError === "too_large" ? 413 : 400;
  const page = receiptPage(frame, {
    brand: application,
    address: addressOf(frame, "", token),
    progressAddress: addressOf(frame, "/progress", token),
    redirectUri: session.redirectUri,
    isCamera: (request.query as Record<string, unknown>)["source"] !== "picture",
    missingDetails: missingDetails(session.request),
    limits: context.limits,
    ...errors,
  });
  return sendPage(reply, status, page);
}

function showProgress(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  code: number,
  { visit, status }: SentReceipt,
) {
  const frame = context.frameOf(request, visit.session.locale);
  return sendPage(reply, code, progressPage(frame, progressPageOf(frame, visit, status)));
}

/**
 * Responds 404 for a session that is closed; if a receipt was uploaded in it, the page shows that receipt's progress.
 */
async function showUsed(context: Context, request: FastifyRequest, reply: FastifyReply, error: unknown) {
  const isClosed =
    error instanceof Problem && error.problem === "sessionNotFound" && !(error instanceof UnknownSession);
  const sent = isClosed && !wantsJson(request) && (await findSentReceipt(context, request));
  if (!sent) throw error;
  return showProgress(context, request, reply, 404, sent);
}

/** Returns the receipt that was uploaded in the session of the address, or null. */
async function findSentReceipt(context: Context, request: FastifyRequest): Promise<SentReceipt | null> {
  const visit = await sentVisit(context.database, request.query, context.now());
  const status = visit && (await context.receiptStatus(visit.session.applicationId, visit.session.receiptId));
  return visit && status && { visit, status };
}

async function requireSentReceipt(context: Context, request: FastifyRequest): Promise<SentReceipt> {
  const sent = await findSentReceipt(context, request);
  if (!sent) throw new Problem("sessionNotFound");
  return sent;
}

function progressPageOf(frame: Frame, { token, session, application }: SentVisit, status: ReceiptStatus): ProgressPage {
  return {
    brand: application,
    progress: progressOf(status),
    address: addressOf(frame, "/progress", token),
    statusAddress: addressOf(frame, "/status", token),
    eventsAddress: addressOf(frame, "/events", token),
    disputesAddress: addressOf(frame, DISPUTES_PATH, token),
    redirectUri: session.redirectUri,
    backUrl: backUrlOf(token, session, status),
  };
}

function addressOf(frame: Frame, path: string, token: string): string {
  return `${frame.basePath}${PAGE_PATHS.receipt}${path}?sessionId=${token}`;
}

function backUrlOf(token: string, session: SentVisit["session"], { status }: ReceiptStatus): string | null {
  if (session.redirectUri === null) return null;
  const ending = status === "Failed" ? "failed" : "completed";
  return redirectWith(session.redirectUri, { status: ending, sessionId: token, receiptId: session.receiptId });
}

type ReceivedImage = Extract<Received, { kind: "ok" }>;

/**
 * Reads the form with its photos, which the caller discards, or returns the error that the page shows. Browsers send an
 * empty file for a file field without a file: they are left out, wherever they are.
 */
async function receiveForm(
  request: FastifyRequest,
  imageFields: FileFields<Received>,
): Promise<{ fields: FormFields; images: [ReceivedImage, ...ReceivedImage[]] | ImageError }> {
  try {
    const { fields, files } = await readForm(request, imageFields);
    const images: ReceivedImage[] = [];
    let isTooLarge = false;
    for (const name of imageFields.names) {
      // One photo of each field, as the page has it.
      const [file, ...more] = files.filter((each) => each.name === name).map(({ received }) => received);
      for (const other of more) await imageFields.discard(other);
      if (file?.kind === "too_large") isTooLarge = true;
      else if (file && file.bytes > 0) images.push(file);
      else if (file) await imageFields.discard(file);
    }
    const [first, ...more] = images;
    if (first && !isTooLarge) return { fields, images: [first, ...more] };
    for (const image of images) await imageFields.discard(image);
    return { fields, images: isTooLarge ? "too_large" : "missing" };
  } catch (error) {
    const imageError = error instanceof Problem ? imageErrorOf(error) : null;
    if (imageError === null) throw error;
    return { fields: new Map(), images: imageError };
  }
}
