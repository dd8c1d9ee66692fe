import assert from 'node:assert/strict';
import type { TestService } from '../../support/harness.ts';

/** Returns an Ethereum account at an index, in the form of requests. */
export const ethereumAccount = (index = 0) => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: `m/44'/60'/0'/0/${index}`,
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
});

/** Returns a Solana account at a path, in the form of requests. */
export const solanaAccount = (path = "m/44'/501'/0'/0'") => ({
  curve: 'CURVE_ED25519',
  pathFormat: 'PATH_FORMAT_BIP32',
  path,
  addressFormat: 'ADDRESS_FORMAT_SOLANA',
});

/** An id without a record. */
export const unknownId = '01900000-0000-7000-8000-000000000000';

const walletsOf = new WeakMap<TestService, number>();

/** Returns `Wallet`, `Wallet 2` and so on, since names are unique in an organization. */
export function nextWalletName(service: TestService): string {
  const number = (walletsOf.get(service) ?? 0) + 1;
  walletsOf.set(service, number);
  return number === 1 ? 'Wallet' : `Wallet ${number}`;
}

/** Creates a wallet, by default as the root user of the first organization. */
export async function makeWallet(
  service: TestService,
  accounts: readonly object[] = [],
  as: Parameters<TestService['submit']>[3] = {},
): Promise<{ walletId: string; addresses: string[] }> {
  const parameters = { walletName: nextWalletName(service), accounts };
  const type = 'ACTIVITY_TYPE_CREATE_WALLET';
  const { status, body } = await service.submit('create_wallet', type, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.createWalletResult;
}

/** Returns the listed accounts of a wallet. */
export async function accountsOf(
  service: TestService,
  walletId: string | undefined,
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path in tests
): Promise<any[]> {
  const paginationOptions = { limit: '100' };
  const given = walletId === undefined ? {} : { walletId };
  const { status, body } = await service.query('list_wallet_accounts', {
    ...given,
    paginationOptions,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.accounts;
}
