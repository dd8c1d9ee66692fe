// The keys that sign deliveries. The enclave derives each key from its epoch, a number; a rotation is a row
// with the time from which the next epoch signs.

import type { Context } from '../base/context.ts';
import { fail } from '../errors/errors.ts';
import type { WebhookKey } from '../organization/records/webhooks.ts';
import type { OrganizationDraft } from '../organization/state.ts';

const hourMs = 60 * 60 * 1000;
/** Time from a key's publication to its first signature, as long as receivers may cache the set. */
export const keyLeadMs = 24 * hourMs;
/** Time between the last signature of a key and its withdrawal. */
export const keyKeptMs = 7 * 24 * hourMs;
const maximumPublishedKeys = 8;
const firstEpoch = 1;

/** The epochs of published keys, oldest first, and the epoch that signs. */
export type KeyTimes = { readonly signing: number; readonly published: readonly number[] };

export function keyTimesAt(rotations: Iterable<WebhookKey>, now: number): KeyTimes {
  const rows = [...rotations].sort((a, b) => a.epoch - b.epoch);
  const retired = Math.max(
    ...rows.map(({ epoch, retiresEarlierAtMs }) => (retiresEarlierAtMs <= now ? epoch : 0)),
    0,
  );
  const before = rows[0] === undefined ? firstEpoch : rows[0].epoch - 1;
  const epochs = [before, ...rows.map(({ epoch }) => epoch)];
  const published = epochs.filter((epoch) => epoch >= retired);
  const signing = rows.findLast(({ signsFromMs }) => signsFromMs <= now)?.epoch ?? before;
  return { signing, published };
}

/**
 * Starts the next epoch, published at once and signing after a day. With `immediately`, for a compromised
 * key, it signs at once and the earlier keys are withdrawn.
 */
export function rotateKey(
  organization: OrganizationDraft,
  { now, newId }: Context,
  immediately: boolean,
): WebhookKey {
  const rows = organization.list('webhook_key');
  const { published } = keyTimesAt(rows, now);
  if (!immediately && published.length >= maximumPublishedKeys) {
    const resource = 'published webhook keys';
    fail('limit_exceeded', { owner: 'organization', resource, limit: maximumPublishedKeys });
  }
  // Removes withdrawn epochs. The oldest published row stays, because it withdraws the earlier ones.
  for (const row of rows) {
    if (row.epoch < (published[0] ?? 0)) organization.remove('webhook_key', row.id);
  }
  const epoch = (published.at(-1) ?? firstEpoch) + 1;
  const signsFromMs = immediately ? now : now + keyLeadMs;
  const created: WebhookKey = {
    id: newId(),
    epoch,
    signsFromMs,
    retiresEarlierAtMs: immediately ? now : signsFromMs + keyKeptMs,
    createdAtMs: now,
    updatedAtMs: now,
  };
  organization.put('webhook_key', created);
  return created;
}
