// The exit codes of commands. Scripts rely on them.

export const exits = {
  done: 0,
  /** An internal error, or failed test cases. */
  unexpected: 1,
  usage: 2,
  /** The activity waits for votes or credentials. */
  waits: 3,
  refused: 4,
  not_found: 5,
  invalid: 6,
  conflict: 7,
  unreachable: 8,
  not_verified: 9,
  not_confirmed: 10,
  interrupted: 130,
} as const;

export type Exit = keyof typeof exits;

type FailureParts = {
  readonly exit: Exit;
  /** Stable code for scripts. Default: the name of the exit. */
  readonly code?: string;
  readonly message: string;
  /** The next step, as a sentence. */
  readonly next?: string | undefined;
  readonly requestId?: string | undefined;
  readonly activityId?: string | undefined;
  /** More lines for people, for example each policy's outcome. */
  readonly details?: readonly string[];
};

/** A failed command: a message, the next step and an exit code. */
export class Failure extends Error {
  readonly exit: Exit;
  readonly code: string;
  readonly next: string | undefined;
  readonly requestId: string | undefined;
  readonly activityId: string | undefined;
  readonly details: readonly string[];

  constructor(parts: FailureParts) {
    super(parts.message);
    this.exit = parts.exit;
    this.code = parts.code ?? parts.exit;
    this.next = parts.next;
    this.requestId = parts.requestId;
    this.activityId = parts.activityId;
    this.details = parts.details ?? [];
  }
}

/** Returns a failure for a wrong command line. */
export function usage(message: string, next?: string): Failure {
  return new Failure({ exit: 'usage', message, next });
}

/** Throws `usage` if this version of Node is too old for `what`. */
export function requireNode(node: number, what: string, words: string): void {
  if (Number(process.versions.node.split('.')[0]) < node) throw oldNode(node, what, words);
}

/**
 * Returns the failure of a Node that is too old for `what`. The next step fetches Node alone: a package named
 * keywright from a registry may be another program.
 */
export function oldNode(node: number, what: string, words: string): Failure {
  return usage(
    `${what} needs Node ${node} or later, and this is ${process.version}`,
    `npx -p node@${node} node "${process.argv[1]}" ${words}`,
  );
}

/** Returns the failure for `--json`. Omits unknown members. */
export function failureDocument(failure: Failure): object {
  const { code, message, next, requestId, activityId } = failure;
  return { error: { code, message, next, requestId, activityId } };
}
