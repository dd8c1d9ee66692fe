// The error of a reader that rejects bytes.

/** A transaction that a reader refuses: where in it, and what was expected there. */
export class UnreadableTransaction extends Error {
  /** A place in the transaction, such as `accessList[2].address` or `inputs[0].witness_utxo`. */
  readonly place: string;
  /** The expected value and the value found; holds at most a few bytes of the transaction. */
  readonly problem: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.name = 'UnreadableTransaction';
    this.place = place;
    this.problem = problem;
  }
}

/** Refuses a transaction by a place in it and what was expected there. */
export function refuseTransaction(place: string, problem: string): never {
  throw new UnreadableTransaction(place, problem);
}
