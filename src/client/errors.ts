// All errors of a call: one union, distinguished by class or by `code`.

/** The result of one clause of a policy. Without `value` and `failure`, the clause was not evaluated. */
type ClauseOutcome = {
  readonly clause: string;
  readonly value?: boolean;
  readonly failure?: { readonly code: string; readonly position: number; readonly message: string };
};

type PolicyOutcome = {
  readonly policyId: string;
  readonly policyName: string;
  readonly effect: string;
  readonly outcome: string;
  readonly clauses: readonly ClauseOutcome[];
};

/** The reasons why an activity was allowed, waits or was refused, as the service reports them. */
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

/** An invalid member of the request, by its path (`parameters.users.0.userName`). */
export type FieldViolation = { readonly field: string; readonly description: string };

/** Members of every error besides its message. */
type About = {
  /** HTTP status, if there was a response. */
  readonly status?: number | undefined;
  /** The id with which the operator finds the request. */
  readonly requestId?: string | undefined;
  readonly fields?: readonly FieldViolation[];
  readonly decision?: Decision | undefined;
  readonly activityId?: string | undefined;
};

/** The activity waits for votes, or for further credentials of its submitter. It has no effect yet. */
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
  /** Waits until the activity is decided. Returns its result, or throws `Refused`. */
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
    // Not enumerable, so logs do not show it.
    Object.defineProperty(this, 'settled', { value: settled });
  }
}

/** The activity was refused: policies did not allow it, votes rejected it, or its execution failed. */
export class Refused extends Error {
  declare readonly name: 'Refused';
  /** The code of the service, or `REJECTED` or `FAILED` for an activity with this status. */
  declare readonly code: string;
  declare readonly status: number | undefined;
  declare readonly requestId: string | undefined;
  declare readonly fields: readonly FieldViolation[];
  /** The outcome of each policy; empty if no policy was evaluated. */
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

/** The service returned an error: the request is invalid, unauthenticated, in conflict or over a limit. */
export class RequestFailed extends Error {
  declare readonly name: 'RequestFailed';
  /** The code of the service, such as `REQUEST_INVALID`. */
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

/** No response after all attempts. The service may have executed the request: send the same bytes again. */
export class Unreachable extends Error {
  declare readonly name: 'Unreachable';
  declare readonly code: 'UNREACHABLE';
  declare readonly status: number | undefined;
  declare readonly requestId: undefined;
  declare readonly fields: readonly FieldViolation[];
  declare readonly decision: undefined;
  declare readonly next: string;
  /** The request. If it is sent again, it is the same activity. */
  declare readonly request: Sent;

  constructor(request: Sent, cause: unknown, status?: number) {
    super(`no answer from ${request.url}`, { cause });
    const next = 'Check address and service, then send the same bytes again.';
    describe(this, 'Unreachable', { code: 'UNREACHABLE', next, status });
    // Not enumerable, so logs do not show it: its stamp is valid for an hour.
    Object.defineProperty(this, 'request', { value: request });
  }
}

/** An untrusted response: it answers another request, or its signature is invalid. */
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

/** A stamped request, to send now, later or again. */
export type SentRequest = {
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A sent request: a stamped request, or a request for a public document. */
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
