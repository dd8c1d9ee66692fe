// A transaction with an external key over real processes and a development chain. The service is killed
// before the holder gets the order, and after the holder has signed. The repeated request takes effect once.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { hex } from '../../src/core/base/bytes.ts';
import { memoryKey } from '../external_keys/holders.ts';
import { serviceProgram } from '../support/compiled_service.ts';
import { startAnvil } from './anvil.ts';
import { httpClient, timestampMs } from './clients.ts';
import { launch, startService, temporaryDirectory, until } from './service.ts';

const caip2 = 'eip155:31337' as 'eip155:1';
const { privateKey, publicKey } = memoryKey('CURVE_SECP256K1');

/** The command that the holder runs for a signature: it reads a digest, and prints r and s. */
const signer = `import { secp256k1 } from '${import.meta.resolve('@noble/curves/secp256k1.js')}';
let digest = Buffer.alloc(0);
for await (const part of process.stdin) digest = Buffer.concat([digest, part]);
const key = Buffer.from('${hex(privateKey)}', 'hex');
process.stdout.write(secp256k1.sign(digest, key, { prehash: false, format: 'compact' }));
`;

test('a send with an external key takes effect once despite kills around the signature', async () => {
  const anvil = await startAnvil({ mines: true });
  after(() => anvil.stop());
  const [payer, recipient] = await anvil.call('eth_accounts');
  const folder = temporaryDirectory();
  const socket = join(folder, 'holder.sock');
  const holderSocket = join(folder, 'real.sock');
  const start = {
    dataDirectory: join(folder, 'data'),
    environment: {
      KEYWRIGHT_KEY_HOLDER_SOCKET: socket,
      KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
      KEYWRIGHT_CHAINS: JSON.stringify({
        [caip2]: {
          rpcUrl: anvil.url,
          confirmations: 1,
          pollMs: 20,
          coin: { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 },
        },
      }),
    },
  };
  let service = await startService(start);
  const { organizationId } = service.credentials;
  const holder = await startHolder(folder, holderSocket, await authorityOf(service.baseUrl), {
    organizationId,
  });
  let signed = 0;
  /** Carries orders to the holder. A held order never reaches the holder; a held answer never leaves it. */
  const carry = (keeps: 'nothing' | 'orders' | 'answers', onKept = () => undefined) =>
    listening(socket, (connection) => {
      if (keeps === 'orders') {
        connection.once('data', onKept);
        return [];
      }
      const onward = connect({ path: holderSocket, allowHalfOpen: true });
      connection.pipe(onward);
      const parts: Buffer[] = [];
      onward.on('data', (part: Buffer) => parts.push(part));
      onward.on('end', () => {
        signed += 1;
        if (keeps === 'answers') onKept();
        else connection.end(Buffer.concat(parts));
      });
      return [onward];
    });

  let carrier = await carry('nothing');
  const registered = await httpClient(service).createPrivateKeys({
    type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
    timestampMs: timestampMs(),
    organizationId,
    parameters: {
      privateKeys: [
        {
          privateKeyName: 'Treasury',
          curve: 'CURVE_SECP256K1',
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
          // The declared type of the client lacks this member.
          ...({ externalSignerPubkey: hex(publicKey) } as object),
        },
      ],
    },
  });
  const [{ addresses = [] } = {}] =
    registered.activity.result.createPrivateKeysResultV2?.privateKeys ?? [];
  const from = addresses[0]?.address ?? assert.fail();
  await anvil.send({ from: payer, to: from, value: 10n ** 18n });
  const request = (nonce: string) => ({
    type: 'ACTIVITY_TYPE_ETH_SEND_TRANSACTION_V2' as const,
    timestampMs: timestampMs(),
    organizationId,
    parameters: { from, caip2, nonce, calls: [{ to: recipient, value: '1000' }] },
  });
  const balance = async () => BigInt(await anvil.call('eth_getBalance', recipient, 'latest'));
  const nonceOf = async () => Number(await anvil.call('eth_getTransactionCount', from, 'latest'));
  const first = await balance();
  await httpClient(service).ethSendTransaction(request('0'));
  await until('the first lands', async () => (await nonceOf()) === 1);
  await carrier.stop();

  for (const [i, keeps] of (['orders', 'answers'] as const).entries()) {
    const arrived = Promise.withResolvers<undefined>();
    carrier = await carry(keeps, () => void arrived.resolve(undefined));
    const again = request(`${i + 1}`);
    const lost = assert.rejects(httpClient(service).ethSendTransaction(again));
    await arrived.promise;
    await service.kill();
    await lost;
    await carrier.stop();
    assert.equal(await nonceOf(), i + 1);

    service = await startService(start);
    carrier = await carry('nothing');
    const { activity } = await httpClient(service).ethSendTransaction(again);
    assert.equal(activity.status, 'ACTIVITY_STATUS_COMPLETED');
    await until('it lands', async () => (await nonceOf()) === i + 2);
    // The repeated request returns the same activity.
    const repeated = await httpClient(service).ethSendTransaction(again);
    assert.equal(repeated.activity.id, activity.id);
    await carrier.stop();
  }
  assert.equal((await balance()) - first, 3_000n);
  assert.equal(await nonceOf(), 3);
  // Registration, three sends, and the lost answer.
  assert.equal(signed, 5);
  await service.stop();
  await holder.stop();
});

async function authorityOf(baseUrl: string): Promise<string> {
  const published = await fetch(`${baseUrl}/public/v1/discovery/keys`);
  const { keys } = (await published.json()) as { keys: { role: string; publicKey: string }[] };
  return keys.find(({ role }) => role === 'key_orders')?.publicKey ?? assert.fail();
}

async function startHolder(
  folder: string,
  socket: string,
  authority: string,
  key: { readonly organizationId: string },
): Promise<{ stop(): Promise<void> }> {
  const program = join(folder, 'signer.mjs');
  writeFileSync(program, signer, { mode: 0o600 });
  const described = {
    ...key,
    curve: 'CURVE_SECP256K1',
    publicKey: hex(publicKey),
    holder: 'command',
    command: [process.execPath, program],
    encoding: 'raw',
  };
  const file = join(folder, 'keys.json');
  writeFileSync(file, JSON.stringify({ authority, environment: [], keys: [described] }), {
    mode: 0o600,
  });
  const words = ['key-holder', '--keys', file, '--socket', socket];
  const { child, ended, output } = launch({
    dataDirectory: temporaryDirectory(),
    command: [process.execPath, serviceProgram().main, ...words],
    environment: { PATH: process.env['PATH'] ?? '' },
  });
  await until('the key holder listens', () => output().stdout.includes(socket));
  return {
    stop: async () => {
      child.kill('SIGTERM');
      const { code, stderr } = await ended;
      assert.equal(code, 0, stderr);
    },
  };
}

/** Listens at a socket. `serve` returns the connections that it opens. */
async function listening(
  path: string,
  serve: (connection: Socket) => readonly Socket[],
): Promise<{ stop(): Promise<void> }> {
  rmSync(path, { force: true });
  const connections = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    for (const each of [connection, ...serve(connection)]) {
      connections.add(each.on('error', () => undefined));
    }
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    stop: async () => {
      for (const connection of connections) connection.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
