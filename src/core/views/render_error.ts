// Renders errors as response bodies. All responses use this file.

import { utf8 } from '../base/bytes.ts';
import type { ServiceError } from '../errors/errors.ts';
import { errors, grpcStatuses } from '../errors/errors.ts';
import { PolicyRefusedError } from './policy_refused_error.ts';

/** An HTTP status, and its body as UTF-8 JSON. */
type RenderedError = { readonly status: number; readonly body: Uint8Array };

/**
 * Returns the response to an error: `code` (gRPC number), `message`, `details`, and the machine code. The
 * details are google.rpc.BadRequest for invalid members, the outcomes of policies that refused, and the
 * machine code again. Contains only the table's sentence and its details, which the caller may know.
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
