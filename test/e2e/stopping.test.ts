// The lame-duck phase of a real service, which is not ready and still serves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountParameters, createAddress, httpClient } from './clients.ts';
import { isRunning, startService, temporaryDirectory, until } from './service.ts';
import { signatureOf } from './two_nodes.ts';

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`after ${signal} a service is not ready, serves, and a second signal ends that`, async () => {
    const service = await startService({
      dataDirectory: temporaryDirectory(),
      environment: { KEYWRIGHT_LAME_DUCK_MS: '600000' },
    });
    const { baseUrl, credentials, pid } = service;
    const { organizationId } = credentials;
    const client = httpClient(service);
    const address = await createAddress(service, 'Signing', accountParameters.ethereum);
    const { activities } = await client.getActivities({ organizationId });
    const stamped = await client.stampGetActivities({
      organizationId,
      paginationOptions: { before: activities[0]?.id ?? '' },
    });
    const send = ({ body, stamp }: typeof stamped, path: string, headers = {}) =>
      fetch(`${baseUrl}/public/v1/${path}`, {
        method: 'POST',
        headers: { [stamp.stampHeaderName]: stamp.stampHeaderValue, ...headers },
        body,
      });
    const waits = () => send(stamped, 'query/list_activities', { prefer: 'wait=25' });
    const held = waits();

    process.kill(pid, signal);
    // npm gets the same signal and forwards it.
    process.kill(pid, signal);
    await until('it is not ready', async () => {
      const response = await fetch(`${baseUrl}/health/ready`);
      return response.status === 503 && (await response.text()).includes('is stopping');
    });
    // Held requests end at once, so that callers go to another node, and no further request is held.
    for (const answer of [await held, await waits()]) {
      assert.equal(answer.status, 200);
      assert.deepEqual(await answer.json(), { activities: [] });
      assert.equal(answer.headers.get('preference-applied'), 'wait');
    }
    const request = await client.stampSignRawPayload(signatureOf({ organizationId, address }));
    const signed = await send(request, 'submit/sign_raw_payload');
    assert.equal(signed.status, 200);
    assert.equal(signed.headers.get('connection'), 'close');
    assert.ok(isRunning(pid));

    // Signals within two seconds count as the first one. A third signal would end a service that stops more
    // slowly.
    await until('a second signal counts', () => {
      if (/no new connections from now on/.test(service.output().stdout)) return true;
      process.kill(pid, signal);
      return false;
    });
    // The log is complete when its pipe is closed.
    await service.stop();
    const messages = service
      .output()
      .stdout.split('\n')
      .flatMap((line) => /"msg":"(stop[^"]*)"/.exec(line)?.[1] ?? []);
    assert.deepEqual(messages, [
      'stopping: not ready from now on',
      'stopping: no new connections from now on',
      'stopped',
    ]);
  });
}
