// How a grown database is spread over its users, as SQL over the number of a submission: nothing is looked up, and any
// slice can be made by itself. Submissions ascend in time, and so do their numbers.

/** Of ten submissions, those with these last digits belong to a class of users, who take turns. */
export interface UserClass {
  readonly name: string;
  readonly firstDigit: number;
  readonly digits: number;
  readonly users: number;
}

/** Users of one to `submissions / 10` submissions: with 10 million, one has a million and 600,000 have one or two. */
export function classesFor(submissions: number): readonly UserClass[] {
  const share = (part: number): number => Math.max(1, Math.round(submissions * part));
  return [
    { name: "largest", firstDigit: 0, digits: 1, users: 1 },
    { name: "large", firstDigit: 1, digits: 1, users: 10 },
    { name: "busy", firstDigit: 2, digits: 1, users: share(0.0001) },
    { name: "regular", firstDigit: 3, digits: 1, users: share(0.001) },
    { name: "usual", firstDigit: 4, digits: 5, users: share(0.04) },
    { name: "new", firstDigit: 9, digits: 1, users: share(0.06) },
  ];
}

/** Where submission `n` is: its class (by its place in the list), the user's number in it, and the user's n-th one. */
export function placeOf(classes: readonly UserClass[], n: string): Readonly<Record<"kind" | "user" | "nth", string>> {
  const cases = (of: (each: UserClass, kind: number, index: string) => string): string =>
    `CASE ${classes
      .map((each, kind) => {
        const index = `((${n}) / 10 * ${each.digits} + (${n}) % 10 - ${each.firstDigit})`;
        return `WHEN (${n}) % 10 < ${each.firstDigit + each.digits} THEN ${of(each, kind, index)}`;
      })
      .join(" ")} END`;
  return {
    kind: cases((_each, kind) => `${kind}`),
    user: cases(({ users }, _kind, index) => `${index} % ${users}`),
    nth: cases(({ users }, _kind, index) => `${index} / ${users} + 1`),
  };
}

/** The number of the first submission of user `user` of a class. */
export const firstOf = ({ firstDigit, digits }: UserClass, user: string): string =>
  `((${user}) / ${digits} * 10 + ${firstDigit} + (${user}) % ${digits})`;
