// The error of a reader that rejects bytes.

/** A transaction that a reader rejects, with the place and the expected content. */
export class UnreadableTransaction extends Error {
  /** A place in the transaction, such as `accessList[2].address` or `inputs[0].witness_utxo`. */
  readonly place: string;
  /** The expected and the actual value; contains at most a few bytes of the transaction. */
  readonly problem: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.name = 'UnreadableTransaction';
    this.place = place;
    this.problem = problem;
  }
}

/** Rejects a transaction with a place in it and the expected content. */
export function refuseTransaction(place: string, problem: string): never {
  throw new UnreadableTransaction(place, problem);
}
