// Name look-ups of webhook targets: only for users who may change endpoints, and without delaying other
// requests.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { startTestService, type TestService } from '../../support/harness.ts';
import { approve, by, changeQuorum, read, rename, shownAs } from '../../votes/voting.ts';
import { assertRefused } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import { makeUser } from '../users/user_requests.ts';
import { describedEndpoint, makeEndpoint, shownEndpoints } from './webhook_requests.ts';

let service: TestService;
let asked: string[];
/** Returns the promise of a look-up: the reason of a refusal, or undefined. */
let answer: () => Promise<string | undefined>;

beforeEach(async () => {
  service = await startTestService();
  asked = [];
  answer = async () => undefined;
  service.outside.refusedTarget = async (url) => {
    asked.push(url);
    return answer();
  };
});
afterEach(() => service.close());

const changes = {
  create: (as: object) =>
    service.submit(
      'create_webhook_endpoint',
      'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT',
      describedEndpoint(),
      as,
    ),
  update: (as: object, endpointId = '') =>
    service.submit(
      'update_webhook_endpoint',
      'ACTIVITY_TYPE_UPDATE_WEBHOOK_ENDPOINT',
      { endpointId, url: 'https://other.example/' },
      as,
    ),
};

test('the service looks up no name for a user who may not create endpoints there', async () => {
  const endpointId = await makeEndpoint(service);
  asked = [];
  const plain = await addPlainUser(service);
  assertRefused(await changes.create(plain), 403, 7);
  assertRefused(await changes.update(plain, endpointId), 403, 7);
  assert.deepEqual(asked, []);
});

test('other changes do not wait for a slow name server', async () => {
  const endpointId = await makeEndpoint(service);
  for (const change of [changes.create, (as: object) => changes.update(as, endpointId)]) {
    const looksUp = Promise.withResolvers<void>();
    const found = Promise.withResolvers<undefined>();
    answer = () => {
      looksUp.resolve();
      return found.promise;
    };
    const slow = change({});
    await looksUp.promise;
    const renamed = await rename(service, `Meanwhile ${asked.length}`);
    assert.equal(renamed.status, 200);
    found.resolve(undefined);
    assert.equal((await slow).status, 200);
  }
});

test('an endpoint that needs votes is looked up with the deciding vote', async () => {
  const second = await makeUser(service, 'Second');
  await changeQuorum(service, { threshold: 2, userIds: [service.root.userId, second] });
  const [good, bad] = [
    shownAs('CONSENSUS_NEEDED', await changes.create({})),
    shownAs('CONSENSUS_NEEDED', await changes.create({})),
  ];
  assert.deepEqual(asked, []);
  shownAs('COMPLETED', await approve(service, good, by('Second')));
  answer = async () => 'the address is private';
  shownAs('FAILED', await approve(service, bad, by('Second')));
  assert.match((await read(service, bad)).failure.message, /the address is private/);
  assert.equal((await shownEndpoints(service)).length, 1);
});
