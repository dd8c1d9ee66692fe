// @turnkey/viem and @turnkey/ethers sign transactions in the service and send them to a real chain.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { TurnkeySigner } from '@turnkey/ethers';
import { createAccount } from '@turnkey/viem';
import { JsonRpcProvider } from 'ethers';
import {
  commitmentToVersionedHash,
  createPublicClient,
  createWalletClient,
  getAddress,
  type Hash,
  http,
  parseEther,
  parseGwei,
} from 'viem';
import { foundry } from 'viem/chains';
import { startAnvil } from './anvil.ts';
import { accountParameters, asDeclared, createAddress, httpClient } from './clients.ts';
import { serviceOfThisFile } from './service.ts';

const service = await serviceOfThisFile();
const { organizationId } = service.credentials;
const address = getAddress(await createAddress(service, 'chain', accountParameters.ethereum));
const anvil = await startAnvil();
after(() => anvil.stop());
const [rich] = await anvil.call('eth_accounts');
await anvil.send({ from: rich, to: address, value: parseEther('10') });
await anvil.mine();

const client = httpClient(service);
const account = await createAccount({
  client: asDeclared(client),
  organizationId,
  signWith: address,
});
// The first blob makes anvil load its trusted setup, which can take a minute on a busy machine. Only the test
// itself has a time limit.
const transport = http(anvil.url, { timeout: 0 });
const wallet = createWalletClient({ account, chain: foundry, transport });
const chain = createPublicClient({ chain: foundry, transport });
const value = parseEther('0.5');

async function received(to: `0x${string}`, send: () => Promise<Hash>): Promise<void> {
  const hash = await send();
  await anvil.mine();
  const { status, from } = await chain.getTransactionReceipt({ hash });
  assert.deepEqual([status, getAddress(from)], ['success', address]);
  assert.equal(await chain.getBalance({ address: to }), value);
}

const receiver = (digit: string) => getAddress(`0x${digit.repeat(40)}`);

for (const [i, type] of (['legacy', 'eip2930', 'eip1559'] as const).entries()) {
  test(`viem sends a transaction of type ${i}: the recipient has the coins`, async () => {
    const to = receiver(String(i + 1));
    const accessList = type === 'eip2930' ? { accessList: [{ address: to, storageKeys: [] }] } : {};
    await received(to, () => wallet.sendTransaction({ to, value, type, ...accessList } as never));
  });
}

test('viem sends a transaction of type 4: the account has the code', async () => {
  const code = receiver('c');
  const authorization = await wallet.signAuthorization({ contractAddress: code, executor: 'self' });
  const to = receiver('4');
  await received(to, () =>
    wallet.sendTransaction({ to, value, authorizationList: [authorization] }),
  );
  assert.equal(await chain.getCode({ address }), `0xef0100${code.slice(2).toLowerCase()}`);
});

test('viem sends a transaction of type 3: the recipient has the coins, and the chain the blob', async () => {
  // The commitment to a blob of zeros, and its proofs, are the point at infinity.
  const infinity = `0xc0${'00'.repeat(47)}` as const;
  const blobVersionedHashes = [commitmentToVersionedHash({ commitment: infinity })];
  const blob = `0x${'00'.repeat(131_072)}` as const;
  const to = receiver('f');
  await received(to, () =>
    wallet.sendTransaction({
      to,
      value,
      type: 'eip4844',
      maxFeePerBlobGas: parseGwei('10'),
      blobVersionedHashes,
      sidecars: [{ blob, commitment: infinity, proof: infinity }],
    } as never),
  );
  const { blobGasUsed } = await chain.getBlock();
  assert.equal(blobGasUsed, 131_072n);
});

for (const type of [0, 1, 2]) {
  test(`ethers sends a transaction of type ${type}: the recipient has the coins`, async () => {
    const provider = new JsonRpcProvider(anvil.url, undefined, { polling: false });
    after(() => provider.destroy());
    // The package declares the provider of the CommonJS build.
    const signer = new TurnkeySigner({
      client: asDeclared(client),
      organizationId,
      signWith: address,
    }).connect(provider as never);
    const to = receiver(String(type + 5));
    await received(to, async () => {
      const { hash } = await signer.sendTransaction({ to, value, type });
      return hash as Hash;
    });
  });
}
