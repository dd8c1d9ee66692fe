// Errors about the service itself, when it cannot act now.

import { rowsOf } from './row.ts';

export const serviceErrors = {
  ...rowsOf('ABORTED', 'INTERNAL', {
    organization_busy: 'the organization was changed by other requests {attempts} times, try again',
  }),
  ...rowsOf('INTERNAL', 'INTERNAL', {
    record_refused: 'internal server error ({supportId})',
    internal: 'internal server error ({supportId})',
  }),
  ...rowsOf('FAILED_PRECONDITION', 'INTERNAL', {
    root_key_mismatch: 'the database was created with another root key',
    root_key_rotating:
      'a rotation of the root key has not ended: give both root keys to the service, or run `keywright root-key rotate` again',
    deployment_missing:
      'the database has organizations, but its table `deployment` no longer names the first one: restore that table from a backup',
    custody_missing:
      'the custody record, which lists the rules for the data, is missing or was altered: restore the whole database from a backup',
    anchor_mismatch:
      'the anchor file belongs to other data, whose first organization is {organizationId}: set KEYWRIGHT_ANCHOR_FILE to the file of this data',
    log_older_than_anchor:
      'the database is older than {anchor}: its log has {size} entries, up to {since}, and the anchor knows {anchored}, so {missing} are missing; start the newest database, or accept the loss by `keywright restore accept --reason TEXT`',
    log_differs_from_anchor:
      'the log of the database is not the log that {anchor} knows: they differ within the first {size} entries; start the database that the anchor belongs to',
    log_anchor_unreadable:
      'the log anchor holds no checkpoint that this service signed: set KEYWRIGHT_LOG_ANCHOR_FILE to the file of this data',
  }),
  ...rowsOf('UNAVAILABLE', 'INTERNAL', {
    rule_unknown:
      'the data follows the rule `{rule}`, which this release does not know: start the newer release',
    witnesses_unanswered:
      'too few witnesses answered for the quorum of KEYWRIGHT_WITNESS_POLICY, and KEYWRIGHT_WITNESS_START=require needs them: the log names each witness and its reason',
    fenced:
      'this restored copy is not accepted yet: stop the service that it was copied from, then run `keywright restore accept --reason TEXT`',
    superseded:
      'another copy of this data was accepted in place of this one: send requests there, and stop this service',
    sealed:
      'the service is sealed because it has no root key; its operator has to unseal it, try again later',
    enclave_unavailable: 'the enclave is restarting; try again',
    store_unavailable: 'the store is not available; try again',
    oauth2_provider_unavailable: 'the OAuth 2.0 provider is not available; try again',
    external_signer_unavailable:
      'the holder of the external key gave no valid signature: {reason}; try again',
    draining: 'the service is shutting down; try again',
  }),
  ...rowsOf('UNAVAILABLE', 'RPC_CALL_ERROR', {
    chain_node_unavailable: 'the node of chain `{caip2}` is not available; try again',
    rewards_unavailable: 'the source of rewards of chain `{caip2}` is not available; try again',
  }),
  ...rowsOf('UNAVAILABLE', 'RATE_LIMIT_EXCEEDED', {
    overloaded: 'too many requests in flight, try again',
    not_begun: 'the request waited too long and was not started; send the same request again',
  }),
  ...rowsOf('RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED', {
    rate_limited: 'Too many requests. Please wait and try again in a few seconds',
  }),
};
