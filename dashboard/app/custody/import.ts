// Imports: the secret is sealed here, to a target that the service signed for this user.

import { sealImport } from '../../../src/client/bundles.ts';
import type { Client } from '../../../src/client/connect.ts';
import type { Outcome } from '../../../src/client/outcome.ts';

/**
 * Asks for a target, seals to it, and sends. Raises `NeedsVotes` where the target waits for approval: what
 * is typed is not kept for so long. Raises `Untrusted` for a target by another key than the pinned one, or
 * for another user.
 */
export async function importSealed<Target, Result>(
  reader: Client,
  secret: string | Uint8Array<ArrayBuffer>,
  steps: {
    readonly begin: () => Promise<Outcome<Target>>;
    readonly bundleOf: (target: Target) => string;
    readonly send: (encryptedBundle: string, bundle: string) => Promise<Outcome<Result>>;
    /** User whom the import target belongs to. Default: the organization. */
    readonly userId?: string;
  },
): Promise<Outcome<Result>> {
  const begun = await steps.begin();
  if (begun.outcome === 'refused') return begun;
  if (begun.outcome === 'waiting') throw begun.error;
  const bundle = steps.bundleOf(begun.result);
  const forWhom = steps.userId === undefined ? {} : { userId: steps.userId };
  return steps.send(await sealImport(reader, bundle, secret, forWhom), bundle);
}
