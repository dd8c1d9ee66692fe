// Votes on an activity of hundreds of kilobytes: one request of an organization reads it at a time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfUtf8, utf8 } from '../../src/core/base/bytes.ts';
import { createLargeReads, type LargeReads } from '../../src/enclave/records/large_reads.ts';
import { createFairTurns, eventLoop } from '../../src/enclave/turns/fair_turns.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { startTestService } from '../support/harness.ts';
import {
  approve,
  bodyOf,
  by,
  changeQuorum,
  renameType,
  sendBody,
  shownAs,
} from '../votes/voting.ts';

/** Creates slots for large reads, and counts their holders. */
function watchedReads() {
  const large = createLargeReads();
  const seen = { entered: 0, inside: 0, most: 0 };
  const watched: LargeReads = {
    ...large,
    run: (check, work, hasTurn) =>
      large.run(
        check,
        async () => {
          try {
            return await work();
          } finally {
            if (!large.mustEnter()) seen.inside -= 1;
          }
        },
        hasTurn,
      ),
    enter: async (organizationId) => {
      const isNew = large.mustEnter();
      await large.enter(organizationId);
      if (!isNew) return;
      seen.entered += 1;
      seen.inside += 1;
      seen.most = Math.max(seen.most, seen.inside);
    },
  };
  return { watched, seen };
}

test('votes on a large activity read it in turn, and the last one carries it out', async (t) => {
  const { watched, seen } = watchedReads();
  const turns = createFairTurns({ ...eventLoop, clock: () => performance.now() });
  const service = await startTestService({ large: watched, turns });
  t.after(() => service.close());
  await makeUser(service, 'Powerless');
  const second = await makeUser(service, 'Second');
  await changeQuorum(service, { threshold: 2, userIds: [service.root.userId, second] });
  const body = bodyOf(service, renameType, { organizationName: 'Renamed' });
  // Most of the request is white space, which is recorded as it was signed.
  const large = utf8((textOfUtf8(body) ?? '').padEnd(400_000));
  const sent = await sendBody(service, 'update_organization_name', large);
  const waiting = shownAs('CONSENSUS_NEEDED', sent);
  assert.equal(seen.entered, 0, 'the request itself reads no large row');
  const votes = Array.from({ length: 8 }, () => approve(service, waiting, by('Powerless')));
  for (const { status } of await Promise.all(votes)) assert.equal(status, 403);
  assert.equal(seen.most, 1);
  shownAs('COMPLETED', await approve(service, waiting, by('Second')));
  assert.ok(seen.entered >= 9, `${seen.entered} attempts waited for a place`);
  assert.equal(seen.inside, 0);
  assert.equal(watched.waiting(), 0);
});
