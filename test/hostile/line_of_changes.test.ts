// The root user's change during floods of its organization. Turns and answers are counted, not time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { floods } from './line_floods.ts';

const requests = 60;

for (const { name, run } of floods) {
  test(`the root user's change waits for no flood: ${name}`, async (t) => {
    const measured = await run({ requests });
    t.diagnostic(JSON.stringify(measured));
    const { rootStatus, changesBefore, answersBefore, statuses } = measured;
    assert.equal(rootStatus, 200);
    // The change that has the turn at that time, and one more of a waiting user.
    assert.ok(changesBefore <= 2, `${changesBefore} changes came first`);
    assert.ok(answersBefore <= 4, `${answersBefore} requests were answered first`);
    assert.equal(
      Object.values(statuses).reduce((sum, each) => sum + each),
      requests,
    );
  });
}
