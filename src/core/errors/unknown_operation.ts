import { nearestName } from '../base/edit_distance.ts';
import { unservedOperations } from '../base/unserved_operations.ts';
import { ServiceError } from './errors.ts';

const everyOperation = 'docs/operations.md lists those of this version';

/**
 * Creates the error `operation_unknown` for a name or path. It contains the reason why an operation of the
 * API family is not served, or the operation that was probably meant. The operations are public, so
 * unauthenticated callers may see both.
 */
export function unknownOperation(operation: string, known: Iterable<string> = []): ServiceError {
  const reason = unservedOperations.get(operation);
  if (reason !== undefined) {
    return new ServiceError('operation_unknown', {
      operation,
      hint: `${reason}; ${everyOperation}`,
    });
  }
  const meant = nearestName(operation, known);
  const hint =
    meant === undefined ? everyOperation : `did you mean \`${meant}\`? ${everyOperation}`;
  return new ServiceError('operation_unknown', { operation, hint });
}
