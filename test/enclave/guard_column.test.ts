// A guard column that contradicts the sealed head: the row is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StorePort } from '../../src/store/port.ts';
import { makeSender } from '../operations/sending/send_requests.ts';
import { startTestService } from '../support/harness.ts';
import { startServiceOver } from './service_over.ts';

for (const moved of [-1, 1]) {
  test(`a guard that was changed by ${moved} is refused, with and without a known state`, async (t) => {
    const service = await startTestService();
    t.after(() => service.close());
    const { organizationId, key } = service.root;
    await makeSender(service);
    let by = 0;
    const { port } = service.store;
    const store: StorePort = {
      ...port,
      organization: async (request) => {
        const answer = await port.organization(request);
        if (request.organizationId !== organizationId || answer.guard === undefined) return answer;
        const { organization } = answer;
        const guard = answer.guard + by;
        return { ...answer, guard, organization: organization && { ...organization, guard } };
      },
    };
    const body = Buffer.from(JSON.stringify({ organizationId }));
    const whoami = async (
      seed: string,
      over = startServiceOver({ store, seed, clock: service.now }),
    ) => {
      const { send } = await over;
      return (await send('query', 'whoami', body, key)).status;
    };
    const running = startServiceOver({ store, seed: 'running', clock: service.now });
    assert.equal(await whoami('running', running), 200);
    by = moved;
    assert.equal(await whoami('running', running), 500);
    assert.equal(await whoami('new'), 500);
    by = 0;
    assert.equal(await whoami('running', running), 200);
  });
}
