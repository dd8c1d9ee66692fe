// A token that was used in a child can be read there by all its users: in other children and in the
// parent, for a sign-up say, it is worth nothing any more.

import type { Verification } from '../../core/auth/verifications.ts';
import { fail } from '../../core/errors/errors.ts';
import type { ChildIndex } from '../operation.ts';

/**
 * Refuses a token that another child of the same parent has seen, or of a parent any of its children.
 * Raises `verification_token_invalid`.
 */
export async function requireUnusedElsewhere(
  { id }: Verification,
  services: {
    readonly relativesWith: (index: ChildIndex, value: string) => Promise<readonly string[]>;
  },
): Promise<void> {
  const found = await services.relativesWith('child_used_token', id);
  if (found.length > 0) fail('verification_token_invalid', { reason: 'it was used before' });
}
