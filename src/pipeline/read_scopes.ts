// The scopes that a decision read, for its explanation.

import { voterWith } from '../core/policy/decision/facts.ts';
import { consensusScope } from '../core/policy/decision/voters.ts';
import type { ReadScopes } from '../core/views/explanation.ts';
import type { Caller } from '../operations/operation.ts';
import type { Preparation } from './prepare.ts';

/**
 * Returns the scopes of a decision with only the caller's vote. Facts for the policies of a parent are not
 * shown.
 */
export function readScopes(
  { scopes, decidedBy }: Pick<Preparation, 'scopes' | 'decidedBy'>,
  { user, credential }: Pick<Caller, 'user' | 'credential'>,
): ReadScopes {
  if (decidedBy !== undefined) return {};
  return { condition: scopes, consensus: consensusScope([voterWith(user, credential)]) };
}
