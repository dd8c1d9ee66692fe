// Saved proofs and deliveries of a running service are verified later.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiKey, connect } from '../../src/client/index.ts';
import { startReceiver } from '../e2e/webhook_receiver.ts';
import { commandsOfThisFile } from './running_service.ts';
import { folderOfTests } from './terminal.ts';

const { service, run, json } = await commandsOfThisFile({
  KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
});
const { organizationId, baseUrl: url } = service.credentials;
const client = connect({ url, organizationId, stamp: await apiKey(service.credentials) });
const folder = folderOfTests();
const saved = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const away = ['--url', 'http://127.0.0.1:9'];

test('proofs verify under the pinned key, and under a given key without a network', async () => {
  const accounts = [client.account('ethereum')];
  const submitted = await client.ask(
    'create_wallet',
    { walletName: 'Proved', accounts },
    { generateAppProofs: true },
  );
  assert.equal(submitted.outcome, 'done');
  const { activity } = submitted;
  const file = saved('activity.json', { activity });
  const good = await run(`verify proof ${file}`);
  assert.equal(good.code, 0, good.err);
  assert.match(good.out, /^Verified +yes\nProofs +APP_PROOF_TYPE_ADDRESS_DERIVATION\nActivity +0/);
  assert(good.out.includes(service.credentials.organizationId), 'whose activity it was');
  const listed = saved('list.json', await json(`api list_app_proofs --activity-id ${activity.id}`));
  assert.equal((await json(`verify proof ${listed}`)).proofs.length, 1);

  const [proof] = activity.appProofs ?? [];
  assert(proof !== undefined);
  const signature = proof.signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  const boot = saved(
    'boot.json',
    await client.query('get_boot_proof', { ephemeralKey: proof.publicKey }),
  );
  const { attestation = '' } = await client.serviceKeys();
  const offline = ['verify', 'proof', file, '--boot-proof', boot, '--key', attestation, ...away];
  assert.equal((await run(offline)).code, 0);
  const other = [
    'verify',
    'proof',
    file,
    '--boot-proof',
    boot,
    '--key',
    proof.publicKey.slice(130),
  ];
  for (const [words, document] of [
    [other, undefined],
    [offline, { activity: { ...activity, id: organizationId } }],
    [offline, { activity: { ...activity, result: {} } }],
    [offline, { appProofs: [{ ...proof, signature }] }],
    [offline, { appProofs: [{ ...proof, proofPayload: `${proof.proofPayload} ` }] }],
    [offline, { appProofs: [proof, {}] }],
    [offline, { appProofs: [] }],
    [offline, { activity: {} }],
    [offline, {}],
  ] as const) {
    if (document !== undefined) saved('activity.json', document);
    const { code, out } = await run([...words, '--json']);
    assert.equal(code, 9, `${JSON.stringify(document)} ${out}`);
    assert.equal(JSON.parse(out).verified, false);
  }
});

test('a saved delivery verifies unchanged and as JSON, and no altered one verifies', async () => {
  const receiver = await startReceiver();
  await client.submit('create_webhook_endpoint', {
    url: receiver.url,
    name: 'Ledger',
    subscriptions: [{ eventType: 'ACTIVITY_UPDATES', filtersJson: '' }],
  });
  const [delivery] = await receiver.atLeast(1);
  await receiver.close();
  assert(delivery !== undefined);
  const headers = Object.entries(delivery.headers).map(([name, value]) => [name, String(value)]);
  const body = String(delivery.body);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const http = saved('delivery.http', `POST / HTTP/1.1\r\n${lines}\r\n${body}`);
  const document = saved('delivery.json', { headers: Object.fromEntries(headers), body });
  const path = `${url}/public/v1/discovery/webhooks/jwks`;
  const keys = saved('jwks.json', await (await fetch(path)).text());

  const eventId = String(delivery.headers['x-service-event-id']);
  const fetched = await run(`verify webhook ${http}`);
  assert.equal(fetched.code, 0, fetched.err);
  assert.match(
    fetched.out,
    new RegExp(
      `^Verified +yes\nEvent +${eventId}\nOrganization +${organizationId}\nContent +ACTIVITY_TYPE_`,
    ),
  );
  // These headers are not signed, so a sender could change them.
  const renamed = {
    headers: {
      ...Object.fromEntries(headers),
      'x-service-event-type': 'UNSIGNED',
      'x-service-organization-id': 'UNSIGNED',
    },
    body,
  };
  const shown = await run(`verify webhook ${saved('renamed.json', renamed)}`);
  assert.equal(shown.code, 0, shown.err);
  assert.equal(shown.out, fetched.out);
  // The clock is irrelevant, because the keys were saved.
  const offline = ['--keys', keys, '--json', ...away];
  const clock = () => Date.now() + 86_400_000;
  const later = await run(['verify', 'webhook', document, ...offline], { clock });
  assert.equal(later.code, 0, later.err);
  assert.equal(JSON.parse(later.out).eventId, eventId);
  const input = readFileSync(document, 'utf8');
  assert.equal((await run(['verify', 'webhook', ...offline], { input })).code, 0);

  const changes = [
    { headers: Object.fromEntries(headers), body: body.replace('{', '{ ') },
    ...['signature', 'timestamp', 'event-id', 'signature-key-id'].map((name) => ({
      headers: { ...Object.fromEntries(headers), [`x-service-${name}`]: '12' },
      body,
    })),
    { headers: {}, body },
  ];
  for (const change of changes) {
    const { code, out, err } = await run(['verify', 'webhook', ...offline], {
      input: JSON.stringify(change),
    });
    assert.equal(code, 9, err);
    assert.equal(JSON.parse(out).verified, false);
    assert.equal(JSON.parse(err).error.code, 'DELIVERY_INVALID');
  }
  for (const text of ['', 'POST / HTTP/1.1\r\n', '{"headers":1,"body":""}', '{"body":""}', '{']) {
    assert.equal((await run(['verify', 'webhook', ...offline], { input: text })).code, 2, text);
  }
  const noKeys = saved('no_keys.json', '{"keys":"none"}');
  assert.equal((await run(['verify', 'webhook', http, '--keys', noKeys])).code, 2);
});
