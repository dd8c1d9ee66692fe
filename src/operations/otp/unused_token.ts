import { fail } from '../../core/errors.ts';
import type { Verification } from '../../core/verifications.ts';
import type { ChildIndex } from '../operation.ts';

/**
 * Refuses a token that another child of the same parent has seen: all its users can read it there.
 * Raises `verification_token_invalid`.
 */
export async function requireUnusedBeside(
  { id }: Verification,
  services: {
    readonly siblingsWith: (index: ChildIndex, value: string) => Promise<readonly string[]>;
  },
): Promise<void> {
  const [other] = await services.siblingsWith('child_used_token', id);
  if (other !== undefined) fail('verification_token_invalid', { reason: 'it was used before' });
}
