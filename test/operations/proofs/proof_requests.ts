// Requests that ask for app proofs, and the contents of their proofs.

import assert from 'node:assert/strict';
import { verifyAppProofSignature } from '@turnkey/crypto';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { stampOf, type TestAnswer, type TestKey, type TestService } from '../../support/harness.ts';

export const ethereumAccount = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
};
export const solanaAccount = {
  curve: 'CURVE_ED25519',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/501'/0'/0'",
  addressFormat: 'ADDRESS_FORMAT_SOLANA',
};

type Asking = { readonly generateAppProofs?: unknown; readonly key?: TestKey };

/** Returns the bytes of a request for a wallet. */
export function walletBody(service: TestService, walletName: string, asking: Asking): Uint8Array {
  service.advance(1);
  const { generateAppProofs } = asking;
  return utf8(
    JSON.stringify({
      type: 'ACTIVITY_TYPE_CREATE_WALLET',
      timestampMs: String(service.now()),
      organizationId: service.root.organizationId,
      parameters: { walletName, accounts: [ethereumAccount, solanaAccount] },
      ...(generateAppProofs === undefined ? {} : { generateAppProofs }),
    }),
  );
}

/** Creates a wallet with two accounts, as the root user by default. */
export function makeProvedWallet(
  service: TestService,
  walletName: string,
  asking: Asking = { generateAppProofs: true },
): Promise<TestAnswer> {
  const body = walletBody(service, walletName, asking);
  const stamp = stampOf(body, asking.key ?? service.root.key);
  return service.send('submit', 'create_wallet', body, [stamp]);
}

/** Verifies proofs with the unmodified public package; returns their contents. */
// biome-ignore lint/suspicious/noExplicitAny: payloads are looked into by path in tests
export function payloadsOf(appProofs: readonly any[]): any[] {
  assert.ok(appProofs.length > 0);
  return appProofs.map((proof) => {
    verifyAppProofSignature(proof);
    return JSON.parse(proof.proofPayload);
  });
}
