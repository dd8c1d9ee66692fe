// Errors about the form of a request, independent of the caller.

import type { ErrorRow } from './row.ts';

export const requestErrors = {
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
  body_too_slow: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    http: 408,
    sentence: 'bad request body: the client sends it too slowly',
  },
  transfer_coding_unsupported: {
    grpc: 'UNIMPLEMENTED',
    clientCode: 'REQUEST_INVALID',
    http: 501,
    sentence: 'unsupported transfer coding: send the body as it is, or in chunks',
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
    sentence: 'invalid request body: unknown field `{field}`{hint}',
  },
  transaction_type_unsupported: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'UNSUPPORTED_TRANSACTION_TYPE',
    sentence: 'unsupported transaction type `{type}`: expected one of {expected}',
  },
  transaction_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'INVALID_TRANSACTION',
    sentence: 'failed to parse transaction: `{place}`: {problem}',
  },
  header_invalid: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence: 'invalid header `{header}`: expected {expected}',
  },
  dry_run_contradicted: {
    grpc: 'INVALID_ARGUMENT',
    clientCode: 'REQUEST_INVALID',
    sentence:
      'the header `Dry-Run` says {header} and the signed body says {body}: leave the header out, and set `dryRun` in the body alone',
  },
  answer_too_large: {
    grpc: 'FAILED_PRECONDITION',
    clientCode: 'REQUEST_INVALID',
    sentence: 'the answer is too large to send: request fewer rows with a smaller `limit`',
  },
  operation_unknown: {
    grpc: 'NOT_FOUND',
    clientCode: 'REQUEST_INVALID',
    sentence: 'unknown operation `{operation}`: {hint}',
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
} as const satisfies Record<string, ErrorRow>;
