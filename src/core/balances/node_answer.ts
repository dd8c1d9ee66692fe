// Reads the answers of a chain's node. Every member is checked before it is used.

/** An answer of a node that breaks its interface or contradicts itself. */
export class ChainFault extends Error {
  /** JSON-RPC error code of the node. */
  readonly code: number | undefined;
  /** Data of the JSON-RPC error; for a reverted call, the contract's return data as hex. */
  readonly data: string | undefined;

  constructor(message: string, code?: number, data?: string) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

/** Calls to a node, and the function that reads their results in the same order. */
export type Question<Answer> = {
  readonly calls: readonly RpcCall[];
  /** Raises `ChainFault`. */
  readonly read: (results: readonly unknown[]) => Answer;
};

export type Members = Readonly<Record<string, unknown>>;

export function membersOf(value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ChainFault('expected an object');
  }
  return value as Members;
}

export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new ChainFault('expected a list');
  return value;
}

export function matching(value: unknown, pattern: RegExp, expected: string): string {
  if (typeof value !== 'string' || !pattern.test(value)) {
    throw new ChainFault(`expected ${expected}`);
  }
  return value;
}

/** Returns a whole number from 0 to 2^64 - 1, given as a number or a `bigint`. */
export function wholeNumber(value: unknown): bigint {
  const isExact = typeof value === 'bigint' || Number.isSafeInteger(value);
  const whole = isExact ? BigInt(value as bigint | number) : -1n;
  if (whole < 0n || whole >= 2n ** 64n)
    throw new ChainFault('expected an integer from 0 to 2^64 - 1');
  return whole;
}
