// Errors about authority: requests that the caller may not make.

import type { ErrorRow } from './row.ts';

export const authorityErrors = {
  login_disabled: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence: '{what} is disabled in organization {organizationId}: {feature} is not set',
  },
  credential_limited: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence: 'request not authorized: a credential of type {type} is valid for {purpose} alone',
  },
  session_scope_denies: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence: 'request not authorized: the scope of the session does not allow this activity',
  },
  address_not_allowed: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence:
      'request not authorized: organization {organizationId} accepts no requests from the address `{address}`',
  },
  address_lockout: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'the IP allowlist would refuse this very request, which comes from the address `{address}`: add a rule for it, or save the list with `enabled` false',
  },
  parent_votes_needed: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence:
      'request not authorized: organization {parentId} would need further votes for it, which cannot be collected for an activity of a sub-organization',
  },
  parent_authenticators_needed: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence:
      'request not authorized: an MFA policy of the user in organization {parentId} requires further credentials, which cannot be collected for an activity of a sub-organization',
  },
  not_permitted: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence:
      "You don't have sufficient permissions to take this action. Please add a policy granting this user permissions.",
  },
  frozen: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence:
      'request not authorized: {what} is frozen since {since}, until the root quorum deletes freeze {freezeId}',
  },
  organization_sealed: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'organization {organizationId} is sealed: a holder of its key unseals it with keywright org unseal',
  },
  holder_secret_wrong: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'REQUEST_NOT_AUTHORIZED',
    sentence: 'request not authorized: this is not the secret of the key holder {holderId}',
  },
  holder_secret_unreadable: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'the secret is not sealed to this run of the enclave for this state of organization {organizationId}: read get_organization_key and get_latest_boot_proof, and seal it again',
  },
  unseal_tries_exceeded: {
    grpc: 'RESOURCE_EXHAUSTED',
    clientCode: 'REQUEST_INVALID',
    sentence: 'a user may try to unseal an organization {maximum} times in an hour',
  },
  parent_cannot_write: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'ORGANIZATION_MISMATCH',
    sentence:
      'organization mismatch: request is targeting organization ("{organizationId}"), but voters are in organization ("{callerOrganizationId}")',
  },
  import_for_another_user: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'INVALID_ACTIVITY_CALLER',
    sentence:
      'request not authorized: `userId` of an import: expected the calling user, got {userId}',
  },
  import_target_of_another_user: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'INVALID_ACTIVITY_CALLER',
    sentence:
      'request not authorized: target of an import: expected one that the calling user asked for',
  },
  invitation_of_another_user: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'INVALID_ACTIVITY_CALLER',
    sentence:
      'request not authorized: `senderUserId` of an invitation: expected the calling user, got {userId}',
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
  proxy_origin_not_allowed: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'FORBIDDEN',
    sentence:
      'request not authorized: the auth proxy configuration does not accept the origin `{origin}`',
  },
  proxy_method_not_allowed: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'FORBIDDEN',
    sentence:
      'request not authorized: the auth proxy configuration does not allow the method `{method}`',
  },
  proxy_stopped: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'FORBIDDEN',
    sentence: 'request not authorized: the auth proxy is switched off: {reason}',
  },
  proxy_waits: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'FORBIDDEN',
    sentence:
      'request not authorized: signing up or in needs further votes of the organization: activity {activityId} waits for them',
  },
  captcha_not_solved: {
    grpc: 'PERMISSION_DENIED',
    clientCode: 'FORBIDDEN',
    sentence: 'request not authorized: expected the token of a solved captcha in X-Captcha-Token',
  },
} as const satisfies Record<string, ErrorRow>;
