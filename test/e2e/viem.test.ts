// @turnkey/viem: an account with a key in the service. viem recovers the signer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccount } from '@turnkey/viem';
import {
  type Address,
  createWalletClient,
  getAddress,
  http,
  type LocalAccount,
  recoverMessageAddress,
  recoverTypedDataAddress,
  verifyMessage,
} from 'viem';
import { recoverAuthorizationAddress } from 'viem/utils';
import {
  accountParameters,
  asDeclared,
  createAddress,
  createPrivateKey,
  httpClient,
  serverClient,
} from './clients.ts';
import { serviceOfThisFile } from './service.ts';
import { typedData } from './typed_data.ts';

const service = await serviceOfThisFile();
const { organizationId } = service.credentials;
const address = await createAddress(service, 'viem', accountParameters.ethereum);
const privateKeyId = await createPrivateKey(service, 'viem', 'ADDRESS_FORMAT_ETHEREUM');

/** The type of the domain of `typedData`, in the order of EIP-712. */
const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const;

const accounts: Readonly<Record<string, () => Promise<LocalAccount>>> = {
  'a wallet account, by @turnkey/http': () =>
    createAccount({ client: asDeclared(httpClient(service)), organizationId, signWith: address }),
  'a wallet account, by @turnkey/sdk-server': () =>
    createAccount({ client: asDeclared(serverClient(service)), organizationId, signWith: address }),
  'a private key': () =>
    createAccount({
      client: asDeclared(httpClient(service)),
      organizationId,
      signWith: privateKeyId,
    }),
};

for (const [what, account] of Object.entries(accounts)) {
  test(`${what} signs a message`, async () => {
    const signer = await account();
    for (const message of ['hello', '', 'ünïcödé', { raw: '0x00ff' } as const]) {
      const signature = await signer.signMessage({ message });
      assert.equal(await recoverMessageAddress({ message, signature }), signer.address);
      assert(await verifyMessage({ address: signer.address, message, signature }));
    }
  });

  // ENUM-09
  test(`${what} signs typed data`, async () => {
    const signer = await account();
    // Local accounts need no node, so they send nothing over this transport.
    const client = createWalletClient({ account: signer, transport: http('http://127.0.0.1:9') });
    const signature = await client.signTypedData(typedData);
    assert.equal(await recoverTypedDataAddress({ ...typedData, signature }), signer.address);
  });

  test(`${what} signs only the domain of its caller`, async () => {
    const signer = await account();
    assert(signer.signTypedData !== undefined);
    const { domain, types, primaryType, message } = typedData;
    // Without the type of the domain, the client sends an empty domain.
    await assert.rejects(
      signer.signTypedData({ domain, types, primaryType, message }),
      /types has no EIP712Domain: declare the members of your domain in types\.EIP712Domain/,
    );
    const signature = await signer.signTypedData({
      domain: { ...domain, chainId: 1n },
      types: { EIP712Domain: domainType, ...types },
      primaryType,
      message,
    });
    assert.equal(await recoverTypedDataAddress({ ...typedData, signature }), signer.address);
  });

  test(`${what} signs an authorization to set code`, async () => {
    const signer = await account();
    assert(signer.signAuthorization !== undefined);
    for (const nonce of [0, 1, 300]) {
      const authorization = await signer.signAuthorization({
        contractAddress: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
        chainId: 1,
        nonce,
      });
      assert.equal(await recoverAuthorizationAddress({ authorization }), signer.address);
    }
  });
}

test('the address of an account is that of the wallet', async () => {
  const signer = await createAccount({
    client: asDeclared(httpClient(service)),
    organizationId,
    signWith: address,
  });
  assert.equal(signer.address, address);
  assert.equal(getAddress(address), address);
});

// OP-SIGN-04
test('the address of a private key is found by its id', async () => {
  const client = httpClient(service);
  const signer = await createAccount({
    client: asDeclared(client),
    organizationId,
    signWith: privateKeyId,
  });
  const { privateKey } = await client.getPrivateKey({ organizationId, privateKeyId });
  assert.deepEqual(privateKey.addresses, [
    { format: 'ADDRESS_FORMAT_ETHEREUM', address: signer.address },
  ]);
});

test('an address without a key is refused', async () => {
  const stranger: Address = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB';
  const client = httpClient(service);
  const signer = await createAccount({
    client: asDeclared(client),
    organizationId,
    signWith: stranger,
  });
  await assert.rejects(signer.signMessage({ message: 'hello' }), {
    message: /Failed to sign: Turnkey error 5: Could not find any resource to sign with/,
  });
});
