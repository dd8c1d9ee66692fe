// The examples, run with a service as a reader runs them.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { apiKey, connect } from '../../src/client/index.ts';
import { serviceOfThisFile, until } from './service.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');
const service = await serviceOfThisFile({ KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true' });
const { organizationId, baseUrl: url } = service.credentials;
const root = connect({ url, organizationId, stamp: await apiKey(service.credentials) });

/** Returns the output of an example by its first words. */
async function printedBy(example: string): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await promisify(execFile)(process.execPath, [`examples/${example}`], {
    cwd: projectDirectory,
    env: { ...process.env, KEYWRIGHT_DATA_DIR: service.dataDirectory },
  });
  return Object.fromEntries(
    stdout.split('\n').map((line) => [line.split(' ')[0], line.replace(/^\S+ +/, '')]),
  );
}

test('a request without a client library is signed and verified', async () => {
  assert.equal((await printedBy('plain_request.ts'))['verified'], 'true');
});

test('an approval lets the treasurer sign', async () => {
  const printed = await printedBy('approval.ts');
  assert.equal(printed['payload'], 'Pay the rent');
  assert.equal(printed['approved'], 'done');
  assert.match(printed['signature'] ?? '', /^0x[0-9a-f]{130}$/);
  const { activity } = await root.query('get_activity', { activityId: printed['waits'] ?? '' });
  assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.equal(activity.votes.length, 2);
});

test('a webhook receiver accepts only deliveries that the service signed', async () => {
  const receiver = spawn(process.execPath, ['examples/webhook_receiver.ts'], {
    cwd: projectDirectory,
    env: { ...process.env, KEYWRIGHT_URL: url, PORT: '0' },
  });
  after(() => receiver.kill());
  let output = '';
  for (const stream of [receiver.stdout, receiver.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await until('the receiver listens', () => output.includes('listening'));
  const target = `http://127.0.0.1:${/"port":(\d+)/.exec(output)?.[1]}/`;
  const refused = await fetch(target, { method: 'POST', body: '{"type":"ACTIVITY_TYPE_MADE_UP"}' });
  assert.equal(refused.status, 403);
  await root.submit('create_webhook_endpoint', {
    url: target,
    name: 'Receiver',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES', filtersJson: '' }],
  });
  await until('the event has arrived', () =>
    output.includes('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT ACTIVITY_STATUS_COMPLETED'),
  );
  assert(!output.includes('MADE_UP'));
});
