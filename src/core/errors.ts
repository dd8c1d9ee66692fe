// Every way in which the service refuses, in one closed table.

import { table } from './table.ts';

type GrpcStatus = { number: number; http: number };

/** gRPC status numbers and the HTTP status that the grpc-gateway mapping gives each. */
export const grpcStatuses = table<GrpcStatus>()({
  INVALID_ARGUMENT: { number: 3, http: 400 },
  DEADLINE_EXCEEDED: { number: 4, http: 504 },
  NOT_FOUND: { number: 5, http: 404 },
  ALREADY_EXISTS: { number: 6, http: 409 },
  PERMISSION_DENIED: { number: 7, http: 403 },
  RESOURCE_EXHAUSTED: { number: 8, http: 429 },
  FAILED_PRECONDITION: { number: 9, http: 400 },
  ABORTED: { number: 10, http: 409 },
  UNIMPLEMENTED: { number: 12, http: 501 },
  INTERNAL: { number: 13, http: 500 },
  UNAVAILABLE: { number: 14, http: 503 },
  UNAUTHENTICATED: { number: 16, http: 401 },
});

type ErrorRow = {
  grpc: keyof typeof grpcStatuses;
  /** Code that clients of the API family switch on. */
  clientCode: string;
  /** Sentence shown to the caller; `{name}` is replaced by the detail of that name. */
  sentence: string;
  /** HTTP status where it differs from the gRPC mapping. */
  http?: number;
};

/**
 * The closed table of errors. Sentences start lower-case, carry no full stop, and keep the leading
 * words that public clients match.
 */
export const errors = table<ErrorRow>()({
  // requests
  body_malformed: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'bad request body: {reason}',
  },
  body_too_large: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    http: 413,
    sentence: 'bad request body: larger than {limitBytes} bytes',
  },
  field_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'invalid request body: `{field}`: {reason}',
  },
  field_missing: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'invalid request body: missing field `{field}`',
  },
  field_unknown: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'invalid request body: unknown field `{field}`',
  },
  header_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'invalid header `{header}`: expected {expected}',
  },
  answer_too_large: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence: 'the answer is too large to be sent: ask for less, with a smaller `limit`',
  },
  operation_unknown: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'unknown operation `{operation}`',
  },
  method_not_allowed: {
    grpc: 'UNIMPLEMENTED',
    clientCode: 'REQUEST_INVALID',
    http: 405,
    sentence: '`{method}` is not allowed here, use `{allowed}`',
  },
  activity_type_mismatch: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'invalid request body: `type`: expected {expected}, got `{got}`',
  },
  timestamp_too_old: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'invalid request body: `timestampMs`: {ageMs} ms old, expected less than {limitMs} ms',
  },
  timestamp_in_future: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'invalid request body: `timestampMs`: {aheadMs} ms ahead, expected at most {limitMs} ms',
  },
  // authentication: a stranger learns nothing beyond the kind of failure
  stamp_missing: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'SIGNATURE_MISSING',
    sentence:
      'no valid authentication signature found for request: cannot authenticate public API activity request without a stamp (X-Stamp/X-Stamp-Webauthn header)',
  },
  stamp_ambiguous: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'UNAUTHENTICATED',
    sentence: 'authentication failed: expected exactly one authentication header, got {headers}',
  },
  stamp_unsupported: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'UNAUTHENTICATED',
    sentence: 'authentication failed: `{header}` is not accepted here',
  },
  stamp_malformed: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'SIGNATURE_INVALID',
    sentence: 'malformed activity stamp: could not extract api key stamp: {reason}',
  },
  stamp_signature_invalid: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'SIGNATURE_INVALID',
    sentence: 'could not verify api key signature',
  },
  webauthn_stamp_malformed: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'SIGNATURE_INVALID',
    sentence: 'could not extract webauthn stamp: {reason}',
  },
  webauthn_signature_invalid: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'SIGNATURE_INVALID',
    sentence: 'could not verify WebAuthN signature: {reason}',
  },
  webauthn_origin_not_allowed: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'SIGNATURE_INVALID',
    sentence:
      'passkeys of this organization are not used from the origin `{origin}`: expected one of {allowedOrigins}',
  },
  public_key_not_found: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'PUBLIC_KEY_NOT_FOUND',
    sentence:
      'could not find public key in organization or its parent organization organizationId={organizationId} publicKey={publicKey}',
  },
  public_key_ambiguous: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'CREDENTIAL_CONFLICT',
    sentence: 'more than one suborg associated with a public key publicKey={publicKey}',
  },
  api_key_expired: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'API_KEY_EXPIRED',
    sentence: 'expired api key: Unauthenticated desc = expired api key publicKey={publicKey}',
  },
  verification_token_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'invalid verification token: {reason}',
  },
  client_signature_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'invalid client signature: {reason}',
  },
  oidc_token_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INVALID_OIDC_TOKEN',
    sentence: 'invalid OIDC token: {reason}',
  },
  oidc_issuer_not_accepted: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INVALID_OIDC_TOKEN',
    sentence: 'invalid OIDC token: tokens of the issuer `{issuer}` are not accepted here',
  },
  oidc_issuer_unavailable: {
    grpc: 'UNAVAILABLE',
    clientCode: 'INTERNAL',
    sentence: 'the keys of the OIDC issuer `{issuer}` could not be had: {reason}; try again',
  },
  credential_not_found: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'CREDENTIAL_NOT_FOUND',
    sentence:
      'credential ID could not be found in organization or its parent organization organizationId={organizationId} credentialId={credentialId}',
  },
  credential_ambiguous: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'CREDENTIAL_CONFLICT',
    sentence: 'more than one user or suborg associated with {what}',
  },
  attested_stamp_malformed: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'SIGNATURE_INVALID',
    sentence: 'malformed activity stamp: could not extract attested stamp: {reason}',
  },
  attestation_invalid: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'SIGNATURE_INVALID',
    sentence: 'could not verify the attestation of the stamp: {reason}',
  },
  identity_not_found: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'CREDENTIAL_NOT_FOUND',
    sentence:
      'the attested identity could not be found in organization or its suborgs organizationId={organizationId}',
  },
  session_invalid: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'UNAUTHENTICATED',
    sentence: 'authentication failed: the session is not valid here',
  },
  session_expired: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'API_KEY_EXPIRED',
    sentence: 'expired session: its time has passed',
  },
  session_read_only: {
    grpc: 'UNAUTHENTICATED',
    clientCode: 'SIGNATURE_MISSING',
    sentence:
      'no valid authentication signature found for request: a read-only session cannot submit activities',
  },
  // authority
  login_disabled: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence: '{what} is disabled in organization {organizationId}: {feature} is not set',
  },
  credential_limited: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence: 'request not authorized: a credential of type {type} is good for {purpose} alone',
  },
  session_scope_denies: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence: 'request not authorized: the scope of the session does not allow this activity',
  },
  parent_votes_needed: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence:
      'request not authorized: organization {parentId} would need further votes for it, which are not collected for an activity of a sub-organization',
  },
  not_permitted: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence:
      "You don't have sufficient permissions to take this action. Please add a policy granting this user permissions.",
  },
  parent_cannot_write: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'ORGANIZATION_MISMATCH',
    sentence:
      'organization mismatch: request is targeting organization ("{organizationId}"), but voters are in organization ("{callerOrganizationId}")',
  },
  sub_organization_cannot: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'INVALID_ACTIVITY_CALLER',
    sentence: 'request not authorized: a sub-organization cannot {action}',
  },
  parent_organization_cannot: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'INVALID_ACTIVITY_CALLER',
    sentence: 'request not authorized: a parent organization cannot {action}',
  },
  // resources
  organization_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'ORGANIZATION_NOT_FOUND',
    sentence: 'no organization found with the given ID organizationId={organizationId}',
  },
  organization_id_malformed: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INVALID_ORGANIZATION_ID',
    sentence: 'malformed organization ID provided: `{got}` is not a UUID',
  },
  resource_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'unable to find {resource} {id} in organization {organizationId}: not found',
  },
  activity_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'unable to find activity {activityId} in organization {organizationId}: not found',
  },
  activity_fingerprint_unknown: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'No activity found with fingerprint. Consensus activities must target an existing activity by fingerprint: {fingerprint}',
  },
  activity_decided: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence: 'the activity was decided before this vote: its status is {status}',
  },
  activity_without_submitter: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'the user who submitted the activity is no longer in the organization: it can only be rejected',
  },
  signing_resource_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'Could not find any resource to sign with. Addresses are case sensitive. cannot find private key for `{signWith}` in organization {organizationId}',
  },
  wallet_account_not_found: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'Could not find wallet account with {by}: {value}',
  },
  deployment_refused: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence: 'this cannot be done to {what}: {reason}',
  },
  already_exists: {
    grpc: 'ALREADY_EXISTS',
    clientCode: 'REQUEST_INVALID',
    sentence: '{resource} already exists: {what}',
  },
  label_not_unique: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: '{resource} label must be unique: `{label}` already exists in this organization',
  },
  policy_expression_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'invalid policy {clause}: Expression cannot be evaluated: {reason}',
  },
  limit_exceeded: {
    grpc: 'RESOURCE_EXHAUSTED',
    clientCode: 'REQUEST_INVALID',
    sentence: '{owner} has exceeded maximum {resource}: the limit is {limit}',
  },
  otp_limit_reached: {
    grpc: 'RESOURCE_EXHAUSTED',
    clientCode: 'MAX_OTP_INITIATED',
    sentence: 'Max number of OTPs have been initiated: {reason}',
  },
  // One sentence for every reason: a caller must not learn which codes exist.
  otp_code_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'Invalid OTP code: it is wrong, expired, locked or used',
  },
  message_customization_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: '{reason}',
  },
  email_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INVALID_EMAIL',
    sentence: 'invalid email address: `{field}`: {reason}',
  },
  user_without_credential: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'user missing valid credential: {reason}',
  },
  quorum_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: '{reason}',
  },
  not_exported: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence:
      '{resource} has not been exported: {id}; export it first or set `deleteWithoutExport` to true',
  },
  wallet_account_not_exported: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'WALLET_ACCOUNT_NOT_EXPORTED',
    sentence:
      'wallet account has not been exported: {id}; export it first or set `deleteWithoutExport` to true',
  },
  feature_unavailable: {
    grpc: 'UNIMPLEMENTED',
    clientCode: 'REQUEST_INVALID',
    sentence: '{what} is not available in this version',
  },
  // service
  organization_busy: {
    grpc: 'ABORTED',
    clientCode: 'INTERNAL',
    sentence: 'the organization was changed by other requests {attempts} times, try again',
  },
  record_refused: {
    grpc: 'INTERNAL',
    clientCode: 'INTERNAL',
    sentence: 'internal server error ({supportId})',
  },
  internal: {
    grpc: 'INTERNAL',
    clientCode: 'INTERNAL',
    sentence: 'internal server error ({supportId})',
  },
  root_key_mismatch: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence: 'the database was made with another root key',
  },
  deployment_missing: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence:
      'the database has organizations, but its table `deployment` no longer says which was the first: restore that table from a backup',
  },
  enclave_unavailable: {
    grpc: 'UNAVAILABLE',
    clientCode: 'INTERNAL',
    sentence: 'the enclave is not running, it is being restarted; try again',
  },
  store_unavailable: {
    grpc: 'UNAVAILABLE',
    clientCode: 'INTERNAL',
    sentence: 'the store is not available; try again',
  },
  oauth2_provider_unavailable: {
    grpc: 'UNAVAILABLE',
    clientCode: 'INTERNAL',
    sentence: 'the OAuth 2.0 provider is not available; try again',
  },
  overloaded: {
    grpc: 'UNAVAILABLE',
    clientCode: 'RATE_LIMIT_EXCEEDED',
    sentence: 'too many requests in flight, try again',
  },
  rate_limited: {
    grpc: 'RESOURCE_EXHAUSTED',
    clientCode: 'RATE_LIMIT_EXCEEDED',
    sentence: 'Too many requests. Please wait and try again in a few seconds',
  },
  draining: {
    grpc: 'UNAVAILABLE',
    clientCode: 'INTERNAL',
    sentence: 'the service is shutting down; try again',
  },
});

export type ErrorCode = keyof typeof errors;

/** A member of the request that is wrong, by its path (`parameters.users.0.userName`). */
export type FieldViolation = { field: string; description: string };

/** What a refusal may carry: words for its sentence, and structured details for clients. */
export type ErrorDetails = {
  readonly [word: string]: string | number;
};

/** The one exception of the service: a refusal from the closed table. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly fieldViolations: readonly FieldViolation[];

  constructor(
    code: ErrorCode,
    details: ErrorDetails = {},
    fieldViolations: readonly FieldViolation[] = [],
  ) {
    super(sentenceOf(code, details));
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
    this.fieldViolations = fieldViolations;
  }
}

/**
 * A refusal after which what was written so far is kept: a wrong code must count, whatever it is
 * answered with.
 */
export class KeptRefusalError extends ServiceError {}

/** Refuses, and keeps what was written so far. */
export function failAndKeep(code: ErrorCode, details: ErrorDetails = {}): never {
  throw new KeptRefusalError(code, details);
}

/** Refuses. `details` fill the words of the sentence in the table. */
export function fail(
  code: ErrorCode,
  details: ErrorDetails = {},
  fieldViolations: readonly FieldViolation[] = [],
): never {
  throw new ServiceError(code, details, fieldViolations);
}

/** Refuses one member of the request: its path, and what was expected and found. */
export function failField(field: string, reason: string): never {
  throw new ServiceError('field_invalid', { field, reason }, [{ field, description: reason }]);
}

/** Whether this is a refusal of what was asked, and not a failure of the service. */
export function isRefusal(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  const { grpc, http = grpcStatuses[grpc].http }: ErrorRow = errors[error.code];
  return http < 500 || http === 501;
}

/** What only a fault of ours can make untrue. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${what}`);
}

function sentenceOf(code: ErrorCode, details: ErrorDetails): string {
  return errors[code].sentence.replace(/\{(\w+)\}/g, (_, word: string) =>
    String(details[word] ?? ''),
  );
}
