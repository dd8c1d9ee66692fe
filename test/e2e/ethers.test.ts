// @turnkey/ethers: a signer with a key in the service. ethers recovers the signer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TurnkeySigner } from '@turnkey/ethers';
import { getBytes, verifyMessage, verifyTypedData } from 'ethers';
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
const address = await createAddress(service, 'ethers', accountParameters.ethereum);
const privateKeyId = await createPrivateKey(service, 'ethers', 'ADDRESS_FORMAT_ETHEREUM');

const signers = {
  'a wallet account, by @turnkey/http': new TurnkeySigner({
    client: asDeclared(httpClient(service)),
    organizationId,
    signWith: address,
  }),
  'a wallet account, by @turnkey/sdk-server': new TurnkeySigner({
    client: asDeclared(serverClient(service)),
    organizationId,
    signWith: address,
  }),
  'a private key': new TurnkeySigner({
    client: asDeclared(httpClient(service)),
    organizationId,
    signWith: privateKeyId,
  }),
};

test('the address is that of the wallet account', async () => {
  const signer = signers['a wallet account, by @turnkey/http'];
  assert.equal(await signer.getAddress(), address);
});

test('the address is that of the private key', async () => {
  const signer = signers['a private key'];
  const { privateKey } = await httpClient(service).getPrivateKey({ organizationId, privateKeyId });
  assert.equal(await signer.getAddress(), privateKey.addresses[0]?.address);
});

for (const [what, signer] of Object.entries(signers)) {
  test(`${what} signs a message`, async () => {
    for (const message of ['hello', '', getBytes('0x00ff')]) {
      const signature = await signer.signMessage(message);
      assert.equal(verifyMessage(message, signature), await signer.getAddress());
    }
  });

  test(`${what} signs typed data`, async () => {
    const { domain, message } = typedData;
    const types = {
      Person: [...typedData.types.Person],
      Mail: [...typedData.types.Mail],
    };
    const signature = await signer.signTypedData(domain, types, message);
    const signedBy = verifyTypedData(domain, types, message, signature);
    assert.equal(signedBy, await signer.getAddress());
  });
}
