// Waiting activities with many votes, written like a service writes them.

import assert from 'node:assert/strict';
import { isOpen } from '../../src/core/activity/activity.ts';
import { finish } from '../../src/core/base/steps.ts';
import { codecOf, wholePage } from '../enclave/hostile_world.ts';
import { changeOrganization } from '../operations/other_callers.ts';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { type TestService, testKey } from '../support/harness.ts';
import { approve, makeWallet, type Shown, shownAs } from './voting.ts';

/** Raises the version of each waiting activity to `version`, like votes that no longer count. */
export async function raiseVersions(service: TestService, version: number): Promise<void> {
  const codec = codecOf('many votes');
  const { port } = service.store;
  const { organizationId } = service.root;
  const filter = { organizationId, statuses: [], types: [], page: wholePage };
  for (const row of await port.activityPage(filter)) {
    const activity = codec.openActivity(organizationId, row);
    if (!isOpen(activity)) continue;
    for (let next = activity.version + 1; next <= version; next += 1) {
      const key = { bucket: row.bucket, fingerprint: row.fingerprint };
      const later = finish(codec.sealActivity({ ...activity, version: next }, key));
      const nothing = { conditions: [], organizations: [], records: [], deletedRecords: [] };
      const lookups = { lookups: [], deletedLookups: [], events: [], redeliveries: [] };
      const write = { ...nothing, ...lookups, activities: [later], deployment: undefined };
      assert.equal(await port.commit(write), 'committed');
    }
    await changeOrganization(service, (draft) => {
      const open = draft.get('open_activity', activity.id);
      assert(open !== undefined);
      draft.put('open_activity', { ...open, activityVersion: version });
      return undefined;
    });
  }
}

const voters = Array.from({ length: 98 }, (_, i) => `Voter ${i}`);
const keyOf = (voter: string, round: number) => testKey(`${voter}, key ${round}`);

/**
 * Creates an activity that 98 of 99 users approved three times, because each lost the key of an earlier
 * approval. Returns the activity, which then has 294 votes under 90 policies that fail.
 */
export async function makeVotedOften(service: TestService): Promise<Shown> {
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    for (const name of voters) {
      const userId = newId();
      draft.put('user', { id: userId, name, tagIds: [], ...times });
      for (const round of [0, 1, 2]) {
        const { publicKey } = keyOf(name, round);
        const key = { id: newId(), userId, name: `Key ${round}`, publicKey, ...times };
        draft.put('api_key', { ...key, type: 'CREDENTIAL_TYPE_API_KEY_P256' });
      }
    }
    return undefined;
  });
  const consensus = 'approvers.count() >= 99';
  await makePolicy(service, 'Wallets', { consensus });
  for (let i = 0; i < 90; i += 1) {
    const condition = `activity.params.user_id == '${i}'`;
    await makePolicy(service, `Users ${i}`, { condition, consensus });
  }
  let waiting: Shown;
  for (const round of [0, 1, 2]) {
    for (const voter of voters) {
      const as = { key: keyOf(voter, round) };
      const vote = () => approve(service, waiting, as);
      waiting = shownAs(
        'CONSENSUS_NEEDED',
        await (waiting === undefined ? makeWallet(service, 'Often', as) : vote()),
      );
    }
    if (round < 2) await loseKeys(service, `Key ${round}`);
  }
  return waiting;
}

function loseKeys(service: TestService, named: string): Promise<void> {
  return changeOrganization(service, (draft) => {
    for (const { id, name } of draft.list('api_key')) {
      if (name === named) draft.remove('api_key', id);
    }
    return undefined;
  });
}
