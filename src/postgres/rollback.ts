/** A result of a tx whose statements are undone. Made by `rollback`. */
export class Rollback<Result> {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/** Returned by the work of `Database.tx`: undoes the tx, which then returns `result`. */
export function rollback<Result>(result: Result): Rollback<Result> {
  return new Rollback(result);
}
