// Statements of the specification about the wallet of a sign-up: the length of its mnemonic.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accepted,
  callProxy,
  nobody,
  startProxyService,
} from '../operations/auth_proxy/proxy_requests.ts';
import { describedKey } from '../operations/users/user_requests.ts';
import { openedSentence, targetPublicKey } from '../operations/wallets/transfer_requests.ts';
import { testKey } from '../support/harness.ts';

// LIM-05, LIM-04, SIGNUP-35, SIGNUP-36
test('a wallet of a sign-up has 12 words, or as many as are asked for', async (t) => {
  const service = await startProxyService();
  t.after(() => service.close());
  for (const mnemonicLength of [undefined, 12, 15, 18, 21, 24]) {
    const name = `user ${mnemonicLength}`;
    const wallet = { walletName: 'Main', accounts: [], mnemonicLength };
    const body = { ...nobody, apiKeys: [describedKey(name)], wallet };
    const made = await accepted(callProxy(service, 'signup_v2', body));
    const { organizationId } = made;
    const { activity } = await accepted(
      service.submit(
        'export_wallet',
        'ACTIVITY_TYPE_EXPORT_WALLET',
        { walletId: made.wallet.walletId, targetPublicKey },
        { organizationId, key: testKey(name) },
      ),
    );
    const { exportBundle } = activity.result.exportWalletResult;
    const sentence = await openedSentence(exportBundle, organizationId);
    assert.equal(sentence.split(' ').length, mnemonicLength ?? 12);
  }
});
