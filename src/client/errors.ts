// Everything that a call can come to besides its result: one union, told apart by class or by `code`.

/** What one clause of a policy came to; without value and failure it was not asked. */
export type ClauseOutcome = {
  readonly clause: string;
  readonly value?: boolean;
  readonly failure?: { readonly code: string; readonly position: number; readonly message: string };
};

/** What one policy came to. */
export type PolicyOutcome = {
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

/** What every error says. */
type About = {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly fields?: readonly FieldViolation[];
  readonly decision?: Decision | undefined;
  readonly activityId?: string | undefined;
};

/** The activity waits for votes or for further credentials of the user who sent it. It is not done. */
export class NeedsVotes<Result = unknown> extends Error {
  override readonly name = 'NeedsVotes';
  readonly code: 'NEEDS_VOTES' | 'NEEDS_AUTHENTICATORS';
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly fields: readonly FieldViolation[] = [];
  readonly decision: Decision | undefined;
  readonly next: string;
  readonly activityId: string;
  readonly fingerprint: string;
  /** Waits until the activity is decided: its result, or throws `Refused`. */
  readonly settled: (options?: { readonly signal?: AbortSignal }) => Promise<Result>;

  constructor(
    code: 'NEEDS_VOTES' | 'NEEDS_AUTHENTICATORS',
    activity: { readonly id: string; readonly fingerprint: string },
    about: About,
    settled: (options?: { readonly signal?: AbortSignal }) => Promise<Result>,
  ) {
    super(`activity ${activity.id} waits: ${about.decision?.message ?? code}`);
    this.code = code;
    this.status = about.status;
    this.requestId = about.requestId;
    this.decision = about.decision;
    this.activityId = activity.id;
    this.fingerprint = activity.fingerprint;
    this.settled = settled;
    this.next =
      code === 'NEEDS_VOTES'
        ? 'Ask users who may vote to approve it.'
        : 'Approve it with your further credentials.';
  }
}

/** The service refused: policies did not allow it, votes rejected it, or it failed when carried out. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** The service's own code, or `REJECTED` or `FAILED` for an activity that ended so. */
  readonly code: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly fields: readonly FieldViolation[];
  /** What each policy came to; without policies where they were not asked. */
  readonly decision: Decision;
  readonly activityId: string | undefined;
  readonly next: string;

  constructor(code: string, message: string, about: About) {
    super(message);
    this.code = code;
    this.status = about.status;
    this.requestId = about.requestId;
    this.fields = about.fields ?? [];
    this.decision = about.decision ?? { outcome: 'REFUSE', reason: code, message, policies: [] };
    this.activityId = about.activityId;
    this.next = 'Ask the root quorum, or change what the decision names.';
  }
}

/** The service answered with an error: the request is invalid, unauthenticated, in conflict or too much. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  /** The service's own code, such as `REQUEST_INVALID`. */
  readonly code: string;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly fields: readonly FieldViolation[];
  readonly decision: Decision | undefined;
  readonly next: string;

  constructor(code: string, message: string, about: About & { readonly status: number }) {
    super(message);
    this.code = code;
    this.status = about.status;
    this.requestId = about.requestId;
    this.fields = about.fields ?? [];
    this.decision = about.decision;
    this.next = nextOf(about.status);
  }
}

/** No answer came, after all tries. What was sent may have been carried out: send the same bytes again. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly code = 'UNREACHABLE';
  readonly status: number | undefined;
  readonly requestId = undefined;
  readonly fields: readonly FieldViolation[] = [];
  readonly decision = undefined;
  readonly next = 'Check the address and the service, then send the same bytes again.';
  /** What was sent: sent again, it is the same activity. */
  readonly request: SentRequest;

  constructor(request: SentRequest, cause: unknown, status?: number) {
    super(`${request.url} cannot be reached`, { cause });
    this.request = request;
    this.status = status;
  }
}

/** What came cannot be trusted: it is not what was asked for, or not signed as it has to be. */
export class Untrusted extends Error {
  override readonly name = 'Untrusted';
  readonly code: UntrustedCode;
  readonly status = undefined;
  readonly requestId: string | undefined;
  readonly fields: readonly FieldViolation[] = [];
  readonly decision = undefined;
  readonly next = 'Do not go on: find out who answers in the place of the service.';

  constructor(code: UntrustedCode, message: string, requestId?: string) {
    super(message);
    this.code = code;
    this.requestId = requestId;
  }
}

export type UntrustedCode =
  | 'ANSWER_MALFORMED'
  | 'OTHER_ACTIVITY'
  | 'MESSAGE_HIDDEN'
  | 'MESSAGE_ALTERED'
  | 'SIGNATURE_INVALID'
  | 'SIGNATURE_UNCHECKED'
  | 'SERVICE_KEY_CHANGED'
  | 'PROOF_INVALID'
  | 'DELIVERY_INVALID';

/** Every error that the client throws on its own account. */
export type ClientError = NeedsVotes | Refused | RequestFailed | Unreachable | Untrusted;

/** A stamped request: to send now, later, again, or to print. */
export type SentRequest = {
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

function nextOf(status: number): string {
  if (status === 401) return 'Check the credential, its organization and its expiry.';
  if (status === 404) return 'Check the id, and in which organization it is.';
  if (status === 409) return 'Look at what is there already, then ask again.';
  if (status === 429 || status === 503) return 'Wait, then send the same bytes again.';
  return status < 500 ? 'Correct the request.' : 'Show the request id to the operator.';
}
