// Imports: this page seals the secret to a target that the service signed for the user.

import { sealImport } from '../../../src/client/bundles.ts';
import type { Client } from '../../../src/client/connect.ts';
import type { Outcome } from '../../../src/client/outcome.ts';

/**
 * Requests a target, seals the secret to it, and sends the result. Throws `NeedsVotes` if the target waits
 * for approval, because the page does not store the secret until then. Throws `Untrusted` if another key than
 * the pinned key signed the target, or if the target is for another user.
 */
export async function importSealed<Target, Result>(
  reader: Client,
  secret: string | Uint8Array<ArrayBuffer>,
  steps: {
    readonly begin: () => Promise<Outcome<Target>>;
    readonly bundleOf: (target: Target) => string;
    readonly send: (encryptedBundle: string, bundle: string) => Promise<Outcome<Result>>;
    /** User of the import target. Default: the target belongs to the organization. */
    readonly userId?: string;
  },
): Promise<Outcome<Result>> {
  const begun = await steps.begin();
  if (begun.outcome === 'refused') return begun;
  if (begun.outcome === 'waiting') throw begun.error;
  const bundle = steps.bundleOf(begun.result);
  const owner = steps.userId === undefined ? {} : { userId: steps.userId };
  return steps.send(await sealImport(reader, bundle, secret, owner), bundle);
}
