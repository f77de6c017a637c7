import type { Call, CallResponse, StreamedResponse } from "../http/call-as.ts";

/** A change, as the audit log names it. */
export interface Change {
  /** A noun and a verb: `receipt.decide`. */
  readonly action: string;
  /** The id of what is changed; never a name or an address. */
  readonly subject?: string | null;
}

/** The API of the service, as the application of the page. There is no other way from the console to its data. */
export interface ConsoleApi {
  /** Reads. Throws the problem of a response that is an error. */
  get<Body>(path: string, query?: Readonly<Record<string, string>>): Promise<Body>;
  /** Any call, for its status and headers; must not change anything. */
  call(call: Call): Promise<CallResponse>;
  /** A call that changes something: written to the audit log before, its status after. */
  change(about: Change, call: Call): Promise<CallResponse>;
  /** A read that is written to the audit log as a change is: of a person's data, as a stream. */
  download(about: Change, call: Call): Promise<StreamedResponse>;
  /** A change that is no call of the API, such as signing out everywhere. */
  audited<Result>(about: Change, work: () => Promise<Result>): Promise<Result>;
}
