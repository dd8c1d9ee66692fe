import { nearestName } from '../base/edit_distance.ts';
import { ServiceError } from './errors.ts';

const everyOperation = 'docs/operations.md lists those of this version';

/**
 * The refusal `operation_unknown` of a name or path, with the operation that was probably meant. The
 * operations are public, so it tells a stranger nothing.
 */
export function unknownOperation(operation: string, known: Iterable<string> = []): ServiceError {
  const meant = nearestName(operation, known);
  const hint =
    meant === undefined ? everyOperation : `did you mean \`${meant}\`? ${everyOperation}`;
  return new ServiceError('operation_unknown', { operation, hint });
}
