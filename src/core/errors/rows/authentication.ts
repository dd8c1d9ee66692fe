// Errors about the caller: a stranger learns only the kind of failure.

import type { ErrorRow } from './row.ts';

export const authenticationErrors = {
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
    sentence:
      'could not verify api key signature: it has to be made over the body exactly as it is sent',
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
    sentence: 'could not fetch the keys of the OIDC issuer `{issuer}`: {reason}; try again',
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
} as const satisfies Record<string, ErrorRow>;
