// Errors about the form of a request, independent of the caller.

import { type ErrorRow, rowsOf } from './row.ts';

export const requestErrors = {
  ...rowsOf('INVALID_ARGUMENT', 'REQUEST_INVALID', {
    body_malformed: 'bad request body: {reason}',
    field_invalid: 'invalid request body: `{field}`: {reason}',
    field_missing: 'invalid request body: missing field `{field}`',
    field_unknown: 'invalid request body: unknown field `{field}`{hint}',
    header_invalid: 'invalid header `{header}`: expected {expected}',
    dry_run_contradicted:
      'the header `Dry-Run` is {header}, but the signed body has {body}: leave the header out, and set `dryRun` in the body alone',
    activity_type_mismatch: 'invalid request body: `type`: expected {expected}, got `{got}`',
    timestamp_too_old:
      'invalid request body: `timestampMs`: {ageMs} ms old, expected less than {limitMs} ms',
    timestamp_in_future:
      'invalid request body: `timestampMs`: {aheadMs} ms ahead, expected at most {limitMs} ms',
  }),
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
  ...rowsOf('INVALID_ARGUMENT', 'UNSUPPORTED_TRANSACTION_TYPE', {
    transaction_type_unsupported:
      'unsupported transaction type `{type}`: expected one of {expected}',
  }),
  ...rowsOf('INVALID_ARGUMENT', 'INVALID_TRANSACTION', {
    transaction_invalid: 'failed to parse transaction: `{place}`: {problem}',
  }),
  ...rowsOf('FAILED_PRECONDITION', 'REQUEST_INVALID', {
    answer_too_large: 'the answer is too large to send: request fewer rows with a smaller `limit`',
  }),
  ...rowsOf('NOT_FOUND', 'REQUEST_INVALID', {
    operation_unknown: 'unknown operation `{operation}`: {hint}',
  }),
  method_not_allowed: {
    grpc: 'UNIMPLEMENTED',
    clientCode: 'REQUEST_INVALID',
    http: 405,
    sentence: '`{method}` is not allowed here, use `{allowed}`',
  },
} satisfies Record<string, ErrorRow>;
