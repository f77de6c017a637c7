import { Type } from "typebox";
import type { Static } from "typebox";
import { instant, nullable, oneOf, text } from "../http/schema-members.ts";
import { ProgramDefinition } from "./definition.ts";
import { VERSION_STATES } from "./versions.ts";
import type { ProgramVersion, VersionState } from "./versions.ts";

const author = Type.Optional(
  Type.String({ pattern: "\\S", maxLength: 100, description: "Who does it, for the history. Default: api." }),
);

/** A definition to save. */
export const NewProgramBody = Type.Object(
  {
    definition: ProgramDefinition,
    note: Type.Optional(Type.String({ maxLength: 1_000, description: "What it changes and why, for the history." })),
    author,
  },
  { title: "NewProgram", description: "A programme to save as a draft." },
);

/** The same for validation: a definition has errors of its own, with hints (`readDefinition`). */
export const NewProgramEnvelope = Type.Object({ ...NewProgramBody.properties, definition: Type.Unknown() });

export const PublicationBody = Type.Object(
  {
    startsAt: Type.Optional(
      Type.String({ format: "date-time", description: "When it starts. Default: in 10 seconds, the least there is." }),
    ),
    author,
  },
  { title: "ProgramPublication", description: "When a draft comes into force." },
);

export const WithdrawalBody = Type.Object(
  { author },
  { title: "ProgramWithdrawal", description: "Who takes back a version that has not started." },
);

const Version = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: "Its number: 1 is the first that was saved." }),
    state: oneOf(
      VERSION_STATES,
      "draft: never published. scheduled: starts later. in_force: submissions of now are under it. ended: another one is in force. withdrawn: taken back before it started.",
    ),
    definition: ProgramDefinition,
    note: text("The note that was sent with it."),
    author: text("Who saved it."),
    createdAt: instant("When it was saved."),
    startsAt: nullable(instant("When it starts or started; null: a draft.")),
    publishedAt: nullable(instant("When it was published.")),
    publishedBy: nullable(text("Who published it.")),
    withdrawnAt: nullable(instant("When it was withdrawn.")),
    withdrawnBy: nullable(text("Who withdrew it.")),
  },
  { title: "ProgramVersion", description: "A version of the programme. Its definition never changes." },
);

export const ProgramResponse = Type.Object(
  { program: Version },
  { title: "ProgramResponse", description: "One version." },
);
export const CurrentProgramResponse = Type.Object(
  { program: nullable(Version, "The version in force; null: none, so that points/1 applies.") },
  { title: "CurrentProgramResponse", description: "The version that submissions of now are under." },
);
export const ProgramListResponse = Type.Object(
  {
    programs: Type.Array(Version, { description: "Versions, the newest first." }),
    count: Type.Integer({ minimum: 0, description: "Number of all of them." }),
  },
  { title: "ProgramListResponse", description: "Versions of the programme." },
);

/** A version as the API and the CLI show it. */
export function presentVersion(version: ProgramVersion, state: VersionState): Static<typeof Version> {
  const { createdAt, startsAt, publishedAt, withdrawnAt, ...rest } = version;
  return {
    ...rest,
    state,
    createdAt: createdAt.toISOString(),
    startsAt: startsAt?.toISOString() ?? null,
    publishedAt: publishedAt?.toISOString() ?? null,
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
  };
}
