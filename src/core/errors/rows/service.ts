// Errors about the service itself, when it cannot act now.

import type { ErrorRow } from './row.ts';

export const serviceErrors = {
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
    sentence: 'the database was created with another root key',
  },
  root_key_rotating: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence:
      'a rotation of the root key has not ended: give both root keys to the service, or run `keywright root-key rotate` again',
  },
  deployment_missing: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence:
      'the database has organizations, but its table `deployment` no longer names the first one: restore that table from a backup',
  },
  custody_missing: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence:
      'the record of the rules that hold for the data is missing or was altered: restore the whole database from a backup',
  },
  rule_unknown: {
    grpc: 'UNAVAILABLE',
    clientCode: 'INTERNAL',
    sentence:
      'the data is under the rule `{rule}`, which this release does not know: start the newer release',
  },
  anchor_mismatch: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence:
      'the anchor file belongs to other data, whose first organization is {organizationId}: set KEYWRIGHT_ANCHOR_FILE to the file of this data',
  },
  log_older_than_anchor: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence:
      'the database is older than the log anchor: its log has {size} entries, up to {since}, and the anchor knows {anchored}, so {missing} are missing; start the newest database, or accept the loss by `keywright restore accept --reason TEXT`',
  },
  log_differs_from_anchor: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence:
      'the log of the database is not the log that the log anchor knows: they differ within the first {size} entries; start the database that the anchor belongs to',
  },
  log_anchor_unreadable: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence:
      'the log anchor holds no checkpoint that this service signed: set KEYWRIGHT_LOG_ANCHOR_FILE to the file of this data',
  },
  fenced: {
    grpc: 'UNAVAILABLE',
    clientCode: 'INTERNAL',
    sentence:
      'this is a restored copy that was not accepted yet: stop the service that it was copied from, then type `keywright restore accept --reason TEXT`',
  },
  superseded: {
    grpc: 'UNAVAILABLE',
    clientCode: 'INTERNAL',
    sentence:
      'another copy of this data was accepted in place of this one: send requests there, and stop this service',
  },
  sealed: {
    grpc: 'UNAVAILABLE',
    clientCode: 'INTERNAL',
    sentence:
      'the service is sealed because it has no root key; its operator has to unseal it, try again later',
  },
  enclave_unavailable: {
    grpc: 'UNAVAILABLE',
    clientCode: 'INTERNAL',
    sentence: 'the enclave is restarting; try again',
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
  chain_node_unavailable: {
    grpc: 'UNAVAILABLE',
    clientCode: 'RPC_CALL_ERROR',
    sentence: 'the node of chain `{caip2}` is not available; try again',
  },
  external_signer_unavailable: {
    grpc: 'UNAVAILABLE',
    clientCode: 'INTERNAL',
    sentence: 'the holder of the external key gave no valid signature: {reason}; try again',
  },
  rewards_unavailable: {
    grpc: 'UNAVAILABLE',
    clientCode: 'RPC_CALL_ERROR',
    sentence: 'the source of rewards of chain `{caip2}` is not available; try again',
  },
  overloaded: {
    grpc: 'UNAVAILABLE',
    clientCode: 'RATE_LIMIT_EXCEEDED',
    sentence: 'too many requests in flight, try again',
  },
  not_begun: {
    grpc: 'UNAVAILABLE',
    clientCode: 'RATE_LIMIT_EXCEEDED',
    sentence: 'the request waited too long and was not started; send the same request again',
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
} as const satisfies Record<string, ErrorRow>;
