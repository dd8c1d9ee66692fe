// The one place that turns a refusal into the body of a response.

import { utf8 } from '../base/bytes.ts';
import type { ServiceError } from '../errors/errors.ts';
import { errors, grpcStatuses } from '../errors/errors.ts';
import { PolicyRefusedError } from './policy_refused_error.ts';

/** An HTTP status and the UTF-8 JSON bytes of its body. */
type RenderedError = { readonly status: number; readonly body: Uint8Array };

/**
 * The response to a refusal: `code` (gRPC number), `message`, `details` (google.rpc.BadRequest if members of
 * the request are wrong, the outcomes of policies if they refused, then the machine code) and that machine
 * code once more at the top. States only facts that the caller may know: a sentence of the table and its
 * words.
 */
export function renderError(error: ServiceError): RenderedError {
  const row = errors[error.code];
  const grpc = grpcStatuses[row.grpc];
  const body = {
    code: grpc.number,
    message: error.message,
    details: [
      ...badRequest(error),
      ...(error instanceof PolicyRefusedError ? error.policyDetails : []),
      {
        '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail',
        turnkeyErrorCode: row.clientCode,
      },
    ],
    turnkeyErrorCode: row.clientCode,
  };
  return { status: row.http ?? grpc.http, body: utf8(JSON.stringify(body)) };
}

function badRequest({ fieldViolations }: ServiceError): object[] {
  if (fieldViolations.length === 0) return [];
  return [
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: fieldViolations.map(({ field, description }) => ({ field, description })),
    },
  ];
}
