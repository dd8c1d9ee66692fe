// In the browser: the client for pages, which signs up and in through the onboarding proxy, with a
// passkey, with a wallet that the page injects, or with a code.

import {
  type OtpType,
  TurnkeyClient,
  type TurnkeySDKClientConfig,
  type WalletProvider,
} from '@turnkey/core';
import { encryptOtpCodeToBundle } from '@turnkey/crypto';
import { type Hex, hexToString, isHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

type Addresses = Pick<
  TurnkeySDKClientConfig,
  'apiBaseUrl' | 'authProxyUrl' | 'authProxyConfigId' | 'organizationId'
>;

const ethereum = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
} as const;

let client: TurnkeyClient | undefined;

/** Creates the client that all other functions use. */
export async function start(addresses: Addresses): Promise<void> {
  client = new TurnkeyClient({
    ...addresses,
    passkeyConfig: { rpId: 'localhost' },
    walletConfig: { features: { auth: true }, chains: { ethereum: { native: true } } },
  });
  await client.init();
}

/** Returns the user of the client's stored session. */
export async function session() {
  const session = await ready().getSession();
  return session && { organizationId: session.organizationId, userId: session.userId };
}

export async function signUpWithPasskey(): Promise<void> {
  await ready().signUpWithPasskey({
    passkeyDisplayName: 'Phone',
    createSubOrgParams: {
      userName: 'Alice',
      customWallet: {
        walletName: 'Main',
        walletAccounts: [ethereum],
      },
    },
  });
}

export const loginWithPasskey = async () => {
  await ready().loginWithPasskey();
};

export const logout = () => ready().logout();

export const refreshSession = async () => {
  await ready().refreshSession();
};

export async function userAndWallets() {
  const user = await ready().fetchUser();
  const wallets = await ready().fetchWallets();
  return {
    userName: user.userName,
    email: user.userEmail,
    passkeys: user.authenticators.length,
    wallets: wallets.map(({ walletName, accounts }) => ({
      walletName,
      addresses: accounts.map(({ address }) => address),
    })),
  };
}

/** Adds a wallet to the page, like a browser extension (EIP-6963, EIP-1193). */
export function injectWallet(privateKey: string): string {
  assertHex(privateKey);
  const wallet = privateKeyToAccount(privateKey);
  const request = async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [wallet.address];
    if (method === 'eth_chainId') return '0x1';
    if (method !== 'personal_sign') throw new Error(`${method} is not supported`);
    const message = String(params[0]);
    return wallet.signMessage({ message: isHex(message) ? hexToString(message) : message });
  };
  const info = { uuid: crypto.randomUUID(), name: 'Test', icon: '', rdns: 'test.wallet' };
  const detail = Object.freeze({ info, provider: { request, on: () => {} } });
  window.addEventListener('eip6963:requestProvider', () => {
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  });
  return wallet.address;
}

/** Signs in by the wallet, or signs up if it is unknown. Returns the chosen action. */
export async function loginOrSignupWithWallet(): Promise<string> {
  const [walletProvider]: readonly WalletProvider[] = await ready().fetchWalletProviders();
  if (walletProvider === undefined) throw new Error('no wallet was found');
  const { action } = await ready().loginOrSignupWithWallet({ walletProvider });
  return action;
}

type CodeParameters = { readonly otpType: string; readonly contact: string };

/** Requests a code. */
export const initOtp = ({ otpType, contact }: CodeParameters) =>
  ready().initOtp({ otpType: otpType as OtpType, contact });

/**
 * Exchanges a code for a token. The client's own function has the key of another service, so this function
 * names the key of this service.
 */
export async function verifyOtp(answer: {
  readonly otpId: string;
  readonly otpEncryptionTargetBundle: string;
  readonly code: string;
  readonly serviceKey: string;
}): Promise<string> {
  const publicKey = await ready().createApiKeyPair();
  const { otpId, otpEncryptionTargetBundle, code, serviceKey } = answer;
  const encryptedOtpBundle = await encryptOtpCodeToBundle(
    code,
    otpEncryptionTargetBundle,
    publicKey,
    serviceKey,
  );
  const { verificationToken } = await ready().httpClient.proxyVerifyOtpV2({
    otpId,
    encryptedOtpBundle,
  });
  return verificationToken;
}

export async function signUpWithOtp(
  parameters: CodeParameters & { readonly verificationToken: string },
) {
  const { verificationToken, contact, otpType } = parameters;
  await ready().signUpWithOtp({ verificationToken, contact, otpType: otpType as OtpType });
}

export const loginWithOtp = async (verificationToken: string) => {
  await ready().loginWithOtp({ verificationToken });
};

function ready(): TurnkeyClient {
  if (client === undefined) throw new Error('the client was not started');
  return client;
}

function assertHex(text: string): asserts text is Hex {
  if (!isHex(text)) throw new Error('expected hex');
}
