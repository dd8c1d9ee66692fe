// @turnkey/eip-1193-provider: the provider for browser pages, with a real chain.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createEIP1193Provider, type TurnkeyEIP1193Provider } from '@turnkey/eip-1193-provider';
import {
  type Address,
  getAddress,
  type Hex,
  hashMessage,
  hashTypedData,
  isAddress,
  isHex,
  numberToHex,
  parseEther,
  recoverAddress,
} from 'viem';
import { startAnvil } from './anvil.ts';
import { accountParameters, createWallet, httpClient } from './clients.ts';
import { serviceOfThisFile } from './service.ts';
import { typedData } from './typed_data.ts';

// The provider accepts nodes without https only in tests.
process.env['NODE_ENV'] = 'test';

const anvil = await startAnvil();
after(() => anvil.stop());
const chainId: Hex = await anvil.call('eth_chainId');
const service = await serviceOfThisFile();
const second = { ...accountParameters.ethereum, path: "m/44'/60'/1'/0/0" } as const;
const wallet = await createWallet(service, 'Provider', [accountParameters.ethereum, second]);
const provider = await createProvider();

test('eth_requestAccounts returns the addresses of the wallet', async () => {
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  assert.deepEqual(accounts, wallet.addresses);
  assert.deepEqual(await provider.request({ method: 'eth_accounts' }), wallet.addresses);
});

test('personal_sign signs 32 bytes', async () => {
  for (const address of addressesOf()) {
    const hash = hashMessage('hello');
    const signature = await provider.request({ method: 'personal_sign', params: [hash, address] });
    assert.equal(await recoverAddress({ hash, signature }), address);
  }
});

test('eth_signTypedData_v4 signs typed data', async () => {
  for (const address of addressesOf()) {
    const signature: unknown = await provider.request({
      method: 'eth_signTypedData_v4',
      params: [address, typedData],
    });
    assert(isHex(signature));
    assert.equal(await recoverAddress({ hash: hashTypedData(typedData), signature }), address);
  }
});

test('requests about the chain go to its node', async () => {
  assert.equal(await provider.request({ method: 'eth_chainId' }), chainId);
});

for (const [type, fees] of [
  ['0x2', { maxFeePerGas: numberToHex(10n ** 10n), maxPriorityFeePerGas: '0x1' }],
  ['0x1', { gasPrice: numberToHex(10n ** 10n), accessList: [] }],
] as const) {
  test(`eth_sendTransaction of type ${type}: the recipient has the coins`, async () => {
    const from = addressesOf()[Number(type) - 1] ?? assert.fail();
    const [rich] = await anvil.call('eth_accounts');
    await anvil.send({ from: rich, to: from, value: parseEther('2') });
    await anvil.mine();
    const to = getAddress(`0x${type.slice(2).repeat(40)}`);
    const before = await balanceOf(from);
    const value = parseEther('0.5');
    const amounts = { value: numberToHex(value), gas: '0x5208', nonce: '0x0' };
    const transaction = { from, to, chainId, type, ...amounts, ...fees };
    const hash = await provider.request({
      method: 'eth_sendTransaction',
      params: [transaction as never],
    });
    await anvil.mine();
    const receipt = await anvil.call('eth_getTransactionReceipt', hash);
    assert.deepEqual([receipt.status, receipt.type], ['0x1', type]);
    assert.equal(await balanceOf(to), value);
    const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
    assert.equal(await balanceOf(from), before - value - fee);
  });
}

async function balanceOf(address: Address): Promise<bigint> {
  return BigInt(await anvil.call('eth_getBalance', address, 'latest'));
}

function addressesOf(): readonly Address[] {
  return wallet.addresses.map((address) => {
    assert(isAddress(address));
    return getAddress(address);
  });
}

async function createProvider(): Promise<TurnkeyEIP1193Provider> {
  const { organizationId } = service.credentials;
  return (await createEIP1193Provider({
    turnkeyClient: httpClient(service),
    organizationId: uuid(organizationId),
    walletId: uuid(wallet.walletId),
    chains: [
      {
        chainId,
        chainName: 'Test chain',
        rpcUrls: [anvil.url],
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      },
    ],
  })) as TurnkeyEIP1193Provider;
}

type Uuid = `${string}-${string}-${string}-${string}-${string}`;

function uuid(text: string): Uuid {
  const [a = '', b = '', c = '', d = '', e = ''] = text.split('-');
  return `${a}-${b}-${c}-${d}-${e}`;
}
