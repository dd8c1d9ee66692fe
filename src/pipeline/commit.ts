import { usedBefore } from '../core/auth/verifications.ts';
import { fail } from '../core/errors/errors.ts';
import type { Ports, Proposal } from './ports.ts';

/**
 * Makes a decision durable, and then sends what was to be sent. Raises `verification_token_invalid` as
 * `requireUnclaimed` does.
 */
export async function commit(
  proposal: Proposal,
  { repository, external }: Ports,
): Promise<'committed' | 'conflict' | 'duplicate'> {
  await requireUnclaimed(proposal, repository);
  const outcome = await repository.commit(proposal);
  if (outcome === 'committed' && proposal.messages.length > 0) {
    await external.deliver(proposal.messages);
  }
  return outcome;
}

/**
 * Refuses a decision that uses a token which something in the deployment has used. What uses it between
 * this question and the commit makes that a conflict. Raises `verification_token_invalid`.
 */
export async function requireUnclaimed(
  { changes: { claims = [] } }: Pick<Proposal, 'changes'>,
  repository: Pick<Ports['repository'], 'isClaimed'>,
): Promise<void> {
  for (const tokenId of claims) {
    if (await repository.isClaimed(tokenId)) {
      fail('verification_token_invalid', { reason: usedBefore });
    }
  }
}
