// Errors of authentication, which reveal only the kind of failure.

import { rowsOf } from './row.ts';

export const authenticationErrors = {
  ...rowsOf('UNAUTHENTICATED', 'SIGNATURE_MISSING', {
    stamp_missing:
      'no valid authentication signature found for request: cannot authenticate public API activity request without a stamp (X-Stamp/X-Stamp-Webauthn header)',
    session_read_only:
      'no valid authentication signature found for request: a read-only session cannot submit activities',
  }),
  ...rowsOf('UNAUTHENTICATED', 'UNAUTHENTICATED', {
    stamp_ambiguous:
      'authentication failed: expected exactly one authentication header, got {headers}',
    stamp_unsupported: 'authentication failed: `{header}` is not accepted here',
    session_invalid: 'authentication failed: the session is not valid here',
  }),
  ...rowsOf('UNAUTHENTICATED', 'SIGNATURE_INVALID', {
    stamp_malformed: 'malformed activity stamp: could not extract api key stamp: {reason}',
    stamp_signature_invalid:
      'could not verify api key signature: it has to be made over the body exactly as it is sent',
    webauthn_stamp_malformed: 'could not extract webauthn stamp: {reason}',
    webauthn_signature_invalid: 'could not verify WebAuthN signature: {reason}',
    webauthn_origin_not_allowed:
      'passkeys of this organization are not valid for the origin `{origin}`: expected one of {allowedOrigins}',
    attested_stamp_malformed:
      'malformed activity stamp: could not extract attested stamp: {reason}',
    attestation_invalid: 'could not verify the attestation of the stamp: {reason}',
  }),
  ...rowsOf('UNAUTHENTICATED', 'PUBLIC_KEY_NOT_FOUND', {
    public_key_not_found:
      'could not find public key in organization or its parent organization organizationId={organizationId} publicKey={publicKey}',
  }),
  ...rowsOf('UNAUTHENTICATED', 'CREDENTIAL_CONFLICT', {
    public_key_ambiguous: 'more than one suborg associated with a public key publicKey={publicKey}',
    credential_ambiguous: 'more than one user or suborg associated with {what}',
  }),
  ...rowsOf('UNAUTHENTICATED', 'API_KEY_EXPIRED', {
    api_key_expired:
      'expired api key: Unauthenticated desc = expired api key publicKey={publicKey}',
    session_expired: 'expired session: its time has passed',
  }),
  ...rowsOf('INVALID_ARGUMENT', 'REQUEST_INVALID', {
    verification_token_invalid: 'invalid verification token: {reason}',
    client_signature_invalid: 'invalid client signature: {reason}',
  }),
  ...rowsOf('INVALID_ARGUMENT', 'INVALID_OIDC_TOKEN', {
    oidc_token_invalid: 'invalid OIDC token: {reason}',
    oidc_issuer_not_accepted:
      'invalid OIDC token: tokens of the issuer `{issuer}` are not accepted here',
  }),
  ...rowsOf('UNAVAILABLE', 'INTERNAL', {
    oidc_issuer_unavailable:
      'could not fetch the keys of the OIDC issuer `{issuer}`: {reason}; try again',
  }),
  ...rowsOf('UNAUTHENTICATED', 'CREDENTIAL_NOT_FOUND', {
    credential_not_found:
      'credential ID could not be found in organization or its parent organization organizationId={organizationId} credentialId={credentialId}',
    identity_not_found:
      'the attested identity could not be found in organization or its suborgs organizationId={organizationId}',
  }),
};
