// Converts failures of requests to answers, and to lines of the operator's log.

import { ServiceError } from '../core/errors/errors.ts';
import { PolicyRefusedError } from '../core/views/policy_refused_error.ts';
import { renderError } from '../core/views/render_error.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../ipc/messages.ts';
import type { Caller } from '../operations/operation.ts';
import type { KnownStates } from '../pipeline/ports.ts';
import type { StageTimes } from './measurements/stage_times.ts';
import type { EnclavePorts } from './ports.ts';
import { RecordRefusedError } from './records/record_codec.ts';

export type Request = RequestOf<EnclaveMessages['request']> & {
  /** The header `Dry-Run`; undefined without the header. */
  readonly dryRun: boolean | undefined;
  /** True if the caller commits the activity itself. */
  readonly prepares: boolean;
  readonly knownStates: KnownStates | undefined;
  readonly checkNotCancelled: () => void;
  readonly enter: StageTimes['enter'] | undefined;
  readonly authenticated: (caller: Caller) => void;
};
export type Answer = AnswerOf<EnclaveMessages['request']>;

/** Returns every failure as an answer. Logs a fault of the service under the id of the request. */
export function refusal(
  request: Request,
  error: unknown,
  ports: Pick<EnclavePorts, 'log'>,
): Answer {
  const known = knownRefusal(request, error, ports);
  const { status, body } = renderError(known);
  return {
    status,
    body,
    activityId: undefined,
    // A recorded refusal counts against the limit of its organization, as an activity does.
    organizationId: known instanceof PolicyRefusedError ? known.organizationId : undefined,
    errorCode: known.code,
    allowedOrigin: undefined,
  };
}

/** Logs a stored record that does not open. */
export function logRefusedRow(
  { place }: RecordRefusedError,
  requestId: string,
  ports: Pick<EnclavePorts, 'log'>,
): void {
  const { organizationId, kind, id, version } = place;
  const fields = { requestId, organizationId, kind, id, version };
  const sentence = 'a stored record was refused: it differs from the record sealed for its place';
  ports.log('error', sentence, fields);
}

function knownRefusal(
  request: Request,
  error: unknown,
  ports: Pick<EnclavePorts, 'log'>,
): ServiceError {
  const supportId = request.requestId;
  if (error instanceof RecordRefusedError) {
    logRefusedRow(error, supportId, ports);
    return new ServiceError('record_refused', { supportId });
  }
  if (error instanceof ServiceError && error.code !== 'internal') return error;
  ports.log('error', 'a request failed unexpectedly', {
    requestId: supportId,
    operation: request.operation,
    detail: error instanceof Error ? (error.stack ?? error.message) : 'not an error',
  });
  return new ServiceError('internal', { supportId });
}
