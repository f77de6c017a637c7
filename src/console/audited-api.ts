import type { FastifyRequest } from "fastify";
import type { Application } from "../applications/application.ts";
import { refuseClosed } from "../applications/refuse-closed.ts";
import type { Call, CallResponse, StreamedResponse } from "../http/call-as.ts";
import { Problem } from "../problems.ts";
import type { ConsoleApi } from "./api.ts";
import type { AuditEntry } from "./audit.store.ts";

/** What calls that change something are written to the audit log with. */
export interface ApiDeps {
  readonly newId: () => string;
  readonly now: () => Date;
  addAuditEntry(entry: AuditEntry): Promise<void>;
  addAuditOutcome(entryId: string, status: number): Promise<void>;
}

/** Calls an operation of the API as an application. */
export interface Callers {
  call(application: Application, wanted: Call): Promise<CallResponse>;
  stream(application: Application, wanted: Call): Promise<StreamedResponse>;
}

/** The API of the service, as the application of the address; what changes something is written to the audit log. */
export function auditedApi(
  callers: Callers,
  deps: ApiDeps,
  request: FastifyRequest,
  application: Application | null,
): ConsoleApi {
  const call = (wanted: Call): Promise<CallResponse> => {
    if (!application) throw new Problem("notFound");
    return callers.call(application, wanted);
  };
  const audited = async <Result>(
    { action, subject = null }: { action: string; subject?: string | null },
    work: () => Promise<Result>,
    statusOf: (result: Result) => number,
  ): Promise<Result> => {
    const id = deps.newId();
    const consoleUserId = request.console.view.user.id;
    const applicationId = application?.id ?? null;
    await deps.addAuditEntry({ id, at: deps.now(), consoleUserId, applicationId, action, subject });
    const result = await work();
    await deps.addAuditOutcome(id, statusOf(result));
    return result;
  };
  return {
    get: async (path, query = {}) => {
      if (application) refuseClosed(application);
      const response = await call({ method: "GET", path, query });
      if (response.status >= 400) throw problemOfResponse(response);
      return response.body as never;
    },
    call,
    change: (about, wanted) =>
      audited(
        about,
        () => call(wanted),
        ({ status }) => status,
      ),
    download: (about, wanted) =>
      audited(
        about,
        () => {
          if (!application) throw new Problem("notFound");
          return callers.stream(application, wanted);
        },
        ({ status }) => status,
      ),
    audited: (about, work) => audited(about, work, () => 200),
  };
}

/** Turns an error response of the API into its problem. */
function problemOfResponse({ status }: CallResponse): Problem {
  if (status === 404) return new Problem("notFound");
  if (status === 429) return new Problem("tooManyRequests", { retryAfterSeconds: 5 });
  return new Problem(status === 503 ? "unavailable" : status >= 500 ? "internal" : "validation");
}
