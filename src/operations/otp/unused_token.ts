// A token that was used in a child can be read there by all its users: in other children, and for a
// sign-up, it is worth nothing any more.

import { fail } from '../../core/errors.ts';
import type { Verification } from '../../core/verifications.ts';
import type { ChildIndex, Reader } from '../operation.ts';

const index = 'child_used_token';

/** Refuses a token that another child of the same parent has seen. Raises `verification_token_invalid`. */
export async function requireUnusedBeside(
  { id }: Verification,
  services: {
    readonly siblingsWith: (index: ChildIndex, value: string) => Promise<readonly string[]>;
  },
): Promise<void> {
  requireNone(await services.siblingsWith(index, id));
}

/** Refuses a token that a child of the organization has seen. Raises `verification_token_invalid`. */
export async function requireUnusedBelow(
  { id }: Verification,
  read: Pick<Reader, 'childPage'>,
): Promise<void> {
  const page = { limit: 1, before: undefined, after: undefined };
  requireNone(await read.childPage({ index, value: id }, page));
}

function requireNone(found: readonly string[]): void {
  if (found.length > 0) fail('verification_token_invalid', { reason: 'it was used before' });
}
