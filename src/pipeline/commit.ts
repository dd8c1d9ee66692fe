import type { Ports, Proposal } from './ports.ts';

/** Makes a decision durable, and then sends what was to be sent. */
export async function commit(
  proposal: Proposal,
  { repository, outside }: Ports,
): Promise<'committed' | 'conflict' | 'duplicate'> {
  const outcome = await repository.commit(proposal);
  if (outcome === 'committed' && proposal.messages.length > 0) {
    await outside.deliver(proposal.messages);
  }
  return outcome;
}
