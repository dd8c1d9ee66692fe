// The lame-duck phase of a real service: not ready, and yet serving.

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
    const asked = await client.stampGetActivities({
      organizationId,
      paginationOptions: { before: activities[0]?.id ?? '' },
    });
    const send = ({ body, stamp }: typeof asked, path: string, headers = {}) =>
      fetch(`${baseUrl}/public/v1/${path}`, {
        method: 'POST',
        headers: { [stamp.stampHeaderName]: stamp.stampHeaderValue, ...headers },
        body,
      });
    const waits = () => send(asked, 'query/list_activities', { prefer: 'wait=25' });
    const held = waits();

    process.kill(pid, signal);
    // As from npm, which gets the same signal and passes it on.
    process.kill(pid, signal);
    await until('it is not ready', async () => {
      const response = await fetch(`${baseUrl}/health/ready`);
      return response.status === 503 && (await response.text()).includes('is stopping');
    });
    // Those who wait are sent on to another node at once, and nobody waits here any more.
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

    // Signals are the same as the first one until two seconds have passed. A third one would end a service
    // that takes longer than that to stop.
    await until('a second signal counts', () => {
      if (/no new connections from now on/.test(service.output().stdout)) return true;
      process.kill(pid, signal);
      return false;
    });
    // The log is whole once its pipe is closed.
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
