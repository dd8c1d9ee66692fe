// A database that withholds the row of a parent cannot lift its freeze.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Send } from '../../src/core/organization/records/sends.ts';
import { emptySmallState, type OrganizationState } from '../../src/core/organization/state.ts';
import { createSendReleases } from '../../src/enclave/services/send_releases.ts';
import type { Reader } from '../../src/operations/reader.ts';
import { hostileStore } from '../enclave/hostile_store.ts';
import { activityBody, queryBody, startServiceOver } from '../enclave/service_over.ts';
import { makeFreeze, makeKeys } from '../operations/freezes/freeze_requests.ts';
import { addChild } from '../operations/other_callers.ts';
import { startTestService } from '../support/harness.ts';

const reads = [1, 2, 3];

for (const type of ['DEPLOYMENT', 'SUB_ORGANIZATION']) {
  for (const withheldRead of [...reads, Number.POSITIVE_INFINITY]) {
    const which = reads.includes(withheldRead) ? `read ${withheldRead}` : 'every read';
    test(`a freeze of the type ${type} stops a child, though ${which} of its parent finds no row`, async (t) => {
      const service = await startTestService();
      t.after(() => service.close());
      const child = await addChild(service);
      const [signWith] = await makeKeys(service, 1, child);
      await makeFreeze(service, type, type === 'DEPLOYMENT' ? undefined : child.organizationId);
      const store = hostileStore(service.store.port);
      const clock = service.now;
      const enclave = await startServiceOver({ store: store.port, seed: type, clock });
      const parentId = service.root.organizationId;
      let read = 0;
      store.alter({
        organization: (answer, { organizationId }) => {
          if (organizationId !== parentId) return answer;
          read += 1;
          const isWithheld = read === withheldRead || withheldRead === Number.POSITIVE_INFINITY;
          if (!isWithheld) return answer;
          return { ...answer, version: undefined, organization: undefined, records: [] };
        },
      });
      service.advance(1);
      const parameters = {
        signWith,
        payload: 'text',
        encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
        hashFunction: 'HASH_FUNCTION_SHA256',
      };
      const wire = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2';
      const body = activityBody(wire, child.organizationId, parameters, clock());
      const signed = await enclave.send('submit', 'sign_raw_payload', body, child.key);
      assert.notEqual(signed.status, 200, JSON.stringify(signed.body));
      assert.ok(read > 0, 'the parent was read');
      const profiles = queryBody(child.organizationId);
      const listed = await enclave.send('query', 'get_session_profiles', profiles, child.key);
      if (withheldRead === Number.POSITIVE_INFINITY) assert.equal(listed.status, 500);
    });
  }
}

const stateOf = (id: string, parentId?: string): OrganizationState => ({
  id,
  parentId,
  version: 1,
  guard: 1,
  records: emptySmallState(),
  head: {
    name: '',
    rootQuorum: { threshold: 1, userIds: [] },
    features: [],
    createdAtMs: 0,
    updatedAtMs: 0,
  },
});

for (const [whose, sender, rows] of [
  ['parent of its organization', undefined, [stateOf('child', 'parent')]],
  ['organization that sends it', 'child', [stateOf('parent')]],
  ['parent of the organization that sends it', 'child', [stateOf('other'), stateOf('child', 'up')]],
] as const) {
  test(`a transaction is not released if the ${whose} has no row`, async () => {
    const origin = sender === undefined ? {} : { origin: { organizationId: sender } };
    const send = { id: 'send', address: '0x', ...origin } as unknown as Send;
    const reader = { sends: async () => new Map([['send', send]]) } as unknown as Reader;
    const releases = createSendReleases({
      organization: async (id) => ({ state: rows.find((each) => each.id === id) }),
      reader: () => reader,
    });
    await assert.rejects(releases(rows[0].id, ['send']), /stored record was refused|internal/);
  });
}
