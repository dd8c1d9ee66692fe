// Every failure of a call: one union, distinguished by class or by `code`.

/** The outcome of one clause of a policy; without value and failure it was not evaluated. */
type ClauseOutcome = {
  readonly clause: string;
  readonly value?: boolean;
  readonly failure?: { readonly code: string; readonly position: number; readonly message: string };
};

/** The verdict of one policy. */
type PolicyOutcome = {
  readonly policyId: string;
  readonly policyName: string;
  readonly effect: string;
  readonly outcome: string;
  readonly clauses: readonly ClauseOutcome[];
};

/** Why an activity was allowed, waits or was refused, as the service explains it. */
export type Decision = {
  /** `ALLOW`, `WAIT` or `REFUSE`. */
  readonly outcome: string;
  /** A stable code, such as `NO_POLICY_ALLOWS`. */
  readonly reason: string;
  /** The reason as a sentence. */
  readonly message: string;
  readonly policies: readonly PolicyOutcome[];
  readonly [more: string]: unknown;
};

/** A member of the request that is wrong, by its path (`parameters.users.0.userName`). */
export type FieldViolation = { readonly field: string; readonly description: string };

/** The members that every error has besides its message. */
type About = {
  /** HTTP status, if an answer came. */
  readonly status?: number | undefined;
  /** The id by which the operator finds the request. */
  readonly requestId?: string | undefined;
  readonly fields?: readonly FieldViolation[];
  readonly decision?: Decision | undefined;
  readonly activityId?: string | undefined;
};

/** The activity waits for votes or for further credentials of the user who sent it. It is not done. */
export class NeedsVotes<Result = unknown> extends Error {
  declare readonly name: 'NeedsVotes';
  declare readonly code: 'NEEDS_VOTES' | 'NEEDS_AUTHENTICATORS';
  declare readonly status: number | undefined;
  declare readonly requestId: string | undefined;
  declare readonly fields: readonly FieldViolation[];
  declare readonly decision: Decision | undefined;
  declare readonly next: string;
  declare readonly activityId: string;
  declare readonly fingerprint: string;
  /** Waits until the activity is decided: its result, or throws `Refused`. */
  declare readonly settled: (options?: {
    readonly signal?: AbortSignal | undefined;
  }) => Promise<Result>;

  constructor(
    code: NeedsVotes['code'],
    fingerprint: string,
    about: About,
    settled: NeedsVotes<Result>['settled'],
  ) {
    super(`activity ${about.activityId} waits: ${about.decision?.message ?? code}`);
    const next =
      code === 'NEEDS_VOTES'
        ? 'Ask those who may vote to approve it.'
        : 'Approve it with another of your credentials.';
    describe(this, 'NeedsVotes', { code, next, fingerprint, ...about });
    // Not shown where the error is logged.
    Object.defineProperty(this, 'settled', { value: settled });
  }
}

/** The service refused: policies did not allow it, votes rejected it, or it failed when carried out. */
export class Refused extends Error {
  declare readonly name: 'Refused';
  /** The service's own code, or `REJECTED` or `FAILED` for an activity that ended so. */
  declare readonly code: string;
  declare readonly status: number | undefined;
  declare readonly requestId: string | undefined;
  declare readonly fields: readonly FieldViolation[];
  /** The outcome of each policy; without policies if none was evaluated. */
  declare readonly decision: Decision;
  declare readonly activityId: string | undefined;
  declare readonly next: string;

  constructor(code: string, message: string, about: About) {
    super(message);
    const { decision = { outcome: 'REFUSE', reason: code, message, policies: [] } } = about;
    const next = 'Ask the root quorum, or change what the decision names.';
    describe(this, 'Refused', { code, next, ...about, decision });
  }
}

/** The service answered with an error: the request is invalid, unauthenticated, in conflict or too much. */
export class RequestFailed extends Error {
  declare readonly name: 'RequestFailed';
  /** The service's own code, such as `REQUEST_INVALID`. */
  declare readonly code: string;
  declare readonly status: number;
  declare readonly requestId: string | undefined;
  declare readonly fields: readonly FieldViolation[];
  declare readonly decision: Decision | undefined;
  declare readonly next: string;

  constructor(code: string, message: string, about: About & { readonly status: number }) {
    super(message);
    describe(this, 'RequestFailed', { code, next: nextOf(about.status, about.fields), ...about });
  }
}

/** No answer came, after all tries. What was sent may have been carried out: send the same bytes again. */
export class Unreachable extends Error {
  declare readonly name: 'Unreachable';
  declare readonly code: 'UNREACHABLE';
  declare readonly status: number | undefined;
  declare readonly requestId: undefined;
  declare readonly fields: readonly FieldViolation[];
  declare readonly decision: undefined;
  declare readonly next: string;
  /** The request that was sent: sent again, it is the same activity. */
  declare readonly request: Sent;

  constructor(request: Sent, cause: unknown, status?: number) {
    super(`no answer from ${request.url}`, { cause });
    const next = 'Check address and service, then send the same bytes again.';
    describe(this, 'Unreachable', { code: 'UNREACHABLE', next, status });
    // Its stamp is good for an hour: not shown where the error is logged.
    Object.defineProperty(this, 'request', { value: request });
  }
}

/** An answer that cannot be trusted: it answers another request, or its signature is wrong. */
export class Untrusted extends Error {
  declare readonly name: 'Untrusted';
  declare readonly code: UntrustedCode;
  declare readonly status: undefined;
  declare readonly requestId: string | undefined;
  declare readonly fields: readonly FieldViolation[];
  declare readonly decision: undefined;
  declare readonly next: string;

  constructor(code: UntrustedCode, message: string, requestId?: string) {
    super(message);
    const next = 'Stop, and find out who answers in the place of the service.';
    describe(this, 'Untrusted', { code, next, requestId });
  }
}

const describe = (error: Error, name: string, about: object) =>
  Object.assign(error, { name, fields: [], ...about });

type UntrustedCode =
  | 'ANSWER_MALFORMED'
  | 'OTHER_ACTIVITY'
  | 'MESSAGE_HIDDEN'
  | 'MESSAGE_ALTERED'
  | 'SIGNATURE_INVALID'
  | 'SIGNATURE_UNCHECKED'
  | 'SERVICE_KEY_CHANGED'
  | 'BUNDLE_INVALID'
  | 'PROOF_INVALID'
  | 'DELIVERY_INVALID';

/** A stamped request: to send now, later, again, or to print. */
export type SentRequest = {
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A request that was sent: a stamped one, or the reading of a public document. */
export type Sent =
  | SentRequest
  | {
      readonly url: string;
      readonly method: 'GET';
      readonly headers: Readonly<Record<string, string>>;
    };

function nextOf(status: number, fields: readonly FieldViolation[] = []): string {
  if (status === 401) return 'Check the credential, its organization and its expiry.';
  if (status === 404) return 'Check the id, and in which organization it is.';
  if (status === 409) return 'Look at what is there already.';
  if (status === 429 || status === 503) return 'Wait, then send the same bytes again.';
  if (status >= 500) return 'Show the request id to the operator.';
  return `Correct ${fields.map(({ field }) => field).join(', ') || 'the request'}.`;
}
