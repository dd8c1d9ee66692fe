import { nearestName } from '../base/edit_distance.ts';
import { ServiceError } from './errors.ts';

const everyOperation = 'docs/operations.md lists those of this version';

/**
 * Creates the refusal `operation_unknown` of a name or path, with the operation that was probably meant.
 * Operations are public, so strangers may see the suggestion.
 */
export function unknownOperation(operation: string, known: Iterable<string> = []): ServiceError {
  const meant = nearestName(operation, known);
  const hint =
    meant === undefined ? everyOperation : `did you mean \`${meant}\`? ${everyOperation}`;
  return new ServiceError('operation_unknown', { operation, hint });
}
