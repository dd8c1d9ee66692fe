// Wallets and private keys that are created while their organization creates or seals its key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noTurns } from '../../src/enclave/turns/fair_turns.ts';
import { sign } from '../operations/freezes/freeze_requests.ts';
import {
  assertSealed,
  makeKey,
  seal,
  unseal,
} from '../operations/organization_keys/organization_key_requests.ts';
import { knownSentence, sealedSentence } from '../operations/wallets/transfer_requests.ts';
import { ethereumAccount } from '../operations/wallets/wallet_requests.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/harness.ts';

type Making = {
  /** Prepares the request. The returned function sends it. */
  readonly begin: (service: TestService) => Promise<() => Promise<TestAnswer>>;
  // biome-ignore lint/suspicious/noExplicitAny: results are looked into by path in tests
  readonly addressIn: (result: any) => string;
};

const makings: Readonly<Record<string, Making>> = {
  create_wallet: {
    begin: async (service) => () =>
      service.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', {
        walletName: 'Made meanwhile',
        accounts: [ethereumAccount(0), ethereumAccount(1)],
      }),
    addressIn: (result) => result.createWalletResult.addresses[0],
  },
  import_wallet: {
    begin: async (service) => {
      const encryptedBundle = await sealedSentence(service, knownSentence);
      const { userId } = service.root;
      return () =>
        service.submit('import_wallet', 'ACTIVITY_TYPE_IMPORT_WALLET', {
          userId,
          walletName: 'Imported meanwhile',
          encryptedBundle,
          accounts: [ethereumAccount()],
        });
    },
    addressIn: (result) => result.importWalletResult.addresses[0],
  },
  create_private_keys: {
    begin: async (service) => () =>
      service.submit('create_private_keys', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
        privateKeys: [
          {
            privateKeyName: 'Made meanwhile',
            curve: 'CURVE_SECP256K1',
            privateKeyTags: [],
            addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
          },
        ],
      }),
    addressIn: (result) => result.createPrivateKeysResultV2.privateKeys[0].addresses[0].address,
  },
};

/** Starts a service that runs a function at one pause of a request. */
async function startInterrupted() {
  let left = Number.POSITIVE_INFINITY;
  let held = 0;
  let isReached = false;
  let run = async (): Promise<void> => undefined;
  const service = await startTestService({
    turns: {
      ...noTurns,
      pause: async () => {
        left -= 1;
        // A change during the request's turn would wait for that turn to end.
        if (left !== -1 || held > 0) return;
        isReached = true;
        await run();
      },
      holdTurnOf: () => {
        held += 1;
        return () => {
          held -= 1;
        };
      },
    },
  });
  return {
    service,
    /** Runs a function at the pause with this number, unless the request has its turn by then. */
    atPause: (number: number, then: () => Promise<void>) => {
      isReached = false;
      left = number;
      run = then;
      return () => isReached;
    },
  };
}

for (const [name, { begin, addressIn }] of Object.entries(makings)) {
  test(`${name}: a key that is created at any pause seals what is made`, async () => {
    let pauses = 0;
    for (let isReached = true; isReached; pauses += 1) {
      const { service, atPause } = await startInterrupted();
      const send = await begin(service);
      let holderId = '';
      const wasReached = atPause(pauses, async () => {
        holderId = await makeKey(service);
      });
      const { status, body } = await send();
      isReached = wasReached();
      assert.equal(status, 200, JSON.stringify(body));
      const address = addressIn(body.activity.result);
      const signed = await sign(service, address);
      assert.equal(signed.status, 200, `pause ${pauses}: ${JSON.stringify(signed.body)}`);
      if (isReached) {
        await seal(service);
        assertSealed(await sign(service, address));
        assert.equal((await unseal(service, holderId)).status, 200);
        assert.equal((await sign(service, address)).status, 200);
      }
      service.close();
    }
    assert(pauses > 1, 'the request pauses');
  });

  test(`${name}: a seal at any pause stops it`, async () => {
    let pauses = 0;
    for (let isReached = true; isReached; pauses += 1) {
      const { service, atPause } = await startInterrupted();
      await makeKey(service);
      const send = await begin(service);
      const wasReached = atPause(pauses, () => seal(service));
      const answer = await send();
      isReached = wasReached();
      if (isReached) assertSealed(answer);
      else assert.equal(answer.status, 200, JSON.stringify(answer.body));
      service.close();
    }
    assert(pauses > 1, 'the request pauses');
  });
}
