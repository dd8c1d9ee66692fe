// What the service itself cannot do just now.

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
  deployment_missing: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'INTERNAL',
    sentence:
      'the database has organizations, but its table `deployment` no longer names the first one: restore that table from a backup',
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
