// The log of a test service.

import type { TestService } from '../support/harness.ts';

/** Appends all waiting activities to the log. */
export async function appendAll({ store, enclave }: TestService): Promise<void> {
  const waiting = await store.log.next({ limit: 512 });
  await enclave.appendLog({ waiting: [...waiting] });
  await store.log.done(waiting);
}

/** Returns a policy that trusts the log and requires no witness. */
export const policyOf = async ({ enclave }: TestService): Promise<string> =>
  `log ${(await enclave.logCheckpoint(undefined)).key}\nquorum none\n`;
