// Errors about authority: requests that the caller may not make.

import { rowsOf } from './row.ts';

export const authorityErrors = {
  ...rowsOf('PERMISSION_DENIED', 'REQUEST_NOT_AUTHORIZED', {
    login_disabled: '{what} is disabled in organization {organizationId}: {feature} is not set',
    credential_limited:
      'request not authorized: a credential of type {type} is valid only for {purpose}',
    session_scope_denies:
      'request not authorized: the scope of the session does not allow this activity',
    address_not_allowed:
      'request not authorized: organization {organizationId} accepts no requests from the address `{address}`',
    parent_votes_needed:
      'request not authorized: organization {parentId} requires further votes for this, which cannot be collected for an activity of a sub-organization',
    parent_authenticators_needed:
      'request not authorized: an MFA policy of the user in organization {parentId} requires further credentials, which cannot be collected for an activity of a sub-organization',
    not_permitted:
      "You don't have sufficient permissions to take this action. Please add a policy granting this user permissions.",
    frozen:
      'request not authorized: {what} is frozen since {since}, until the root quorum deletes freeze {freezeId}',
    holder_secret_wrong:
      'request not authorized: this is not the secret of the key holder {holderId}',
  }),
  ...rowsOf('FAILED_PRECONDITION', 'REQUEST_INVALID', {
    address_lockout:
      'the IP allowlist would reject this request, which comes from the address `{address}`: add a rule for it, or save the list with `enabled` false',
    organization_sealed:
      'organization {organizationId} is sealed: a holder of its key unseals it with keywright org unseal',
    holder_secret_unreadable:
      'the secret is not sealed to this run of the enclave for this state of organization {organizationId}: read get_organization_key and get_latest_boot_proof, and seal it again',
  }),
  ...rowsOf('RESOURCE_EXHAUSTED', 'REQUEST_INVALID', {
    unseal_tries_exceeded: 'a user may try to unseal an organization {maximum} times in an hour',
  }),
  ...rowsOf('INVALID_ARGUMENT', 'ORGANIZATION_MISMATCH', {
    parent_cannot_write:
      'organization mismatch: request is targeting organization ("{organizationId}"), but voters are in organization ("{callerOrganizationId}")',
  }),
  ...rowsOf('PERMISSION_DENIED', 'INVALID_ACTIVITY_CALLER', {
    import_for_another_user:
      'request not authorized: `userId` of an import: expected the calling user, got {userId}',
    import_target_of_another_user:
      'request not authorized: target of an import: expected one that the calling user requested',
    invitation_of_another_user:
      'request not authorized: `senderUserId` of an invitation: expected the calling user, got {userId}',
    sub_organization_cannot: 'request not authorized: a sub-organization cannot {action}',
    parent_organization_cannot: 'request not authorized: a parent organization cannot {action}',
  }),
  ...rowsOf('PERMISSION_DENIED', 'FORBIDDEN', {
    proxy_origin_not_allowed:
      'request not authorized: the auth proxy configuration does not accept the origin `{origin}`',
    proxy_method_not_allowed:
      'request not authorized: {kind} disallowed: the auth proxy configuration does not allow the method `{method}`',
    proxy_stopped: 'request not authorized: the auth proxy is switched off: {reason}',
    proxy_waits:
      'request not authorized: this sign-up or login needs further votes of the organization: activity {activityId} waits for them',
    captcha_not_solved:
      'request not authorized: expected the token of a solved captcha in X-Captcha-Token',
  }),
};
