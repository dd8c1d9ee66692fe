// Requests for the tests of limits over time: signatures of payloads and of transactions by users whom
// policies allow to sign.

import assert from 'node:assert/strict';
import { encodeFunctionData, erc20Abi, type Hex, parseEther, serializeTransaction } from 'viem';
import { makePolicy } from '../operations/policies/policy_requests.ts';
import { makeUser } from '../operations/users/user_requests.ts';
import { ethereumAccount, makeWallet } from '../operations/wallets/wallet_requests.ts';
import { type Sender, startTestService, type TestService, testKey } from '../support/harness.ts';

export const hour = 3_600_000;
export const day = 24 * hour;
export const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
export const receiver = '0x00000000000000000000000000000000000000AA';

/** Starts a service with plain users, each with the key of the same name, and one wallet. */
export async function startLimited(names: readonly string[] = ['alice', 'bob']) {
  const service = await startTestService();
  const userIds = new Map<string, string>();
  for (const name of names) userIds.set(name, await makeUser(service, name));
  const { walletId, addresses } = await makeWallet(service, [ethereumAccount()]);
  const address = addresses[0];
  assert(address !== undefined);
  return { service, userIds, walletId, address };
}

export const by = (name: string): Sender => ({ key: testKey(name) });

/** Lets each user sign who fulfils the condition. */
export const allow = (service: TestService, condition: string, changes: object = {}) =>
  makePolicy(service, condition.slice(0, 200), { condition, consensus: 'true', ...changes });

/** Signs a new payload each time. Returns true if it was signed. */
export async function sign(
  service: TestService,
  signWith: string,
  as: Sender,
  payload = `payload ${service.now()}`,
): Promise<boolean> {
  const answer = await service.submit(
    'sign_raw_payload',
    'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    { signWith, ...payloadOf(payload) },
    as,
  );
  return isDone(answer);
}

/** A payload in the form of requests. */
export const payloadOf = (payload: string) => ({
  payload,
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction: 'HASH_FUNCTION_SHA256',
});

/** Signs a transaction. Returns true if it was signed. */
export async function signTransaction(
  service: TestService,
  signWith: string,
  unsignedTransaction: Hex,
  as: Sender,
): Promise<boolean> {
  const answer = await service.submit(
    'sign_transaction',
    'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    { signWith, unsignedTransaction, type: 'TRANSACTION_TYPE_ETHEREUM' },
    as,
  );
  return isDone(answer);
}

/**
 * Returns a transfer of ether on a chain; the chain id 0 stands for a legacy transaction without a chain.
 */
export function etherTransfer(ether: string, chainId = 1, data?: Hex): Hex {
  const common = { to: receiver, value: parseEther(ether), nonce: 1, gas: 21_000n, data } as const;
  if (chainId === 0) return serializeTransaction({ ...common, type: 'legacy', gasPrice: 1n });
  const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
  return serializeTransaction({ ...common, ...fees, type: 'eip1559', chainId });
}

/** Returns a transfer of USDC. */
export function usdcTransfer(whole: number, more = 0n): Hex {
  const amount = BigInt(whole) * 1_000_000n + more;
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [receiver, amount],
  });
  const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
  return serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce: 1,
    gas: 90_000n,
    to: usdc,
    data,
    ...fees,
  });
}

/**
 * Returns true if an activity was carried out. Fails for refusals by anything but policies, which are
 * mistakes of the test.
 */
export function isDone({ status, body }: { readonly status: number; readonly body: unknown }) {
  assert(status === 200 || status === 403, JSON.stringify(body));
  return status === 200;
}
