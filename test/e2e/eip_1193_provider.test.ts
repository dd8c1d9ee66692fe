// @turnkey/eip-1193-provider: the provider that a browser page would talk to.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
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
  recoverAddress,
} from 'viem';
import { portOf } from '../../src/gateway/metrics.ts';
import { accountParameters, createWallet, httpClient } from './clients.ts';
import { serviceOfThisFile } from './service.ts';
import { typedData } from './typed_data.ts';

// The provider takes nodes without https only in tests.
process.env['NODE_ENV'] = 'test';

const chainId = '0x1';
const service = await serviceOfThisFile();
const second = { ...accountParameters.ethereum, path: "m/44'/60'/1'/0/0" } as const;
const wallet = await createWallet(service, 'Provider', [accountParameters.ethereum, second]);
const provider = await createProvider();

test('eth_requestAccounts gives the addresses of the wallet', async () => {
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  assert.deepEqual(accounts, wallet.addresses);
  assert.deepEqual(await provider.request({ method: 'eth_accounts' }), wallet.addresses);
});

test('personal_sign signs the 32 bytes it is given', async () => {
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

test("a chain's node is asked for what is the chain's", async () => {
  assert.equal(await provider.request({ method: 'eth_chainId' }), chainId);
});

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
        rpcUrls: [await startNode(chainId)],
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      },
    ],
  })) as TurnkeyEIP1193Provider;
}

/** A node that knows nothing but its chain; gives its URL. */
async function startNode(result: Hex): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result }));
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${portOf(server.address())}`;
}

type Uuid = `${string}-${string}-${string}-${string}-${string}`;

function uuid(text: string): Uuid {
  const [a = '', b = '', c = '', d = '', e = ''] = text.split('-');
  return `${a}-${b}-${c}-${d}-${e}`;
}
