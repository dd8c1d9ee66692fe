import assert from 'node:assert/strict';
import { hex } from '../../../src/core/base/bytes.ts';
import { callDataOf } from '../../../src/core/markets/contract_call.ts';
import type { Sender, TestService } from '../../support/harness.ts';
import { testToken, testVault } from '../../support/outside.ts';
import { sendChain } from '../sending/send_requests.ts';

export const depositType = 'ACTIVITY_TYPE_EARN_DEPOSIT';
export const withdrawType = 'ACTIVITY_TYPE_EARN_WITHDRAW';

const place = { wrapperAddress: testVault.address, chainCaip2: sendChain };

/** Returns the same parameters with the other spelling of the chain, which typed clients require. */
export function inOtherSpelling({
  chainCaip2: caip2,
  ...rest
}: {
  readonly chainCaip2: string;
}): object {
  return { ...rest, caip2 };
}

export const describedDeposit = (signWith: string, changes: object = {}) => ({
  ...place,
  signWith,
  assets: '100',
  ...changes,
});

export const describedWithdrawal = (signWith: string, changes: object = {}) => ({
  ...place,
  signWith,
  amountValue: '100',
  ...changes,
});

export const wrapperType = 'ACTIVITY_TYPE_EARN_DEPLOY_WRAPPER';
export const stateType = 'ACTIVITY_TYPE_EARN_SET_WRAPPER_STATE';
export const claimType = 'ACTIVITY_TYPE_EARN_CLAIM_REWARDS';

/** Returns the parameters that open the test vault. */
export const describedWrapper = (clientFeeWallet: string, changes: object = {}) => ({
  vaultAddress: testVault.address,
  chainCaip2: sendChain,
  clientFeeBps: '0',
  clientFeeWallet,
  ...changes,
});

export const describedClaim = (signWith: string, changes: object = {}) => ({
  signWith,
  chainCaip2: sendChain,
  ...changes,
});

/** Opens the test vault as the root user; returns the ID of the request. */
export async function startWrapper(
  service: TestService,
  clientFeeWallet: string,
  as: Sender = {},
): Promise<string> {
  const parameters = describedWrapper(clientFeeWallet);
  const { status, body } = await service.submit('earn_deploy_wrapper', wrapperType, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.earnDeployWrapperResult.deployRequestId;
}

/** Claims rewards as the root user; returns the ID of the claim. */
export async function startClaim(
  service: TestService,
  signWith: string,
  as: Sender = {},
): Promise<string> {
  const parameters = describedClaim(signWith);
  const { status, body } = await service.submit('earn_claim_rewards', claimType, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.earnClaimRewardsResult.claimRequestId;
}

/** Deposits as the root user; returns the ID of the deposit. */
export async function startDeposit(
  service: TestService,
  signWith: string,
  as: Sender = {},
  changes: object = {},
): Promise<string> {
  const parameters = describedDeposit(signWith, changes);
  const { status, body } = await service.submit('earn_deposit', depositType, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.earnDepositResult.depositRequestId;
}

/** Withdraws as the root user; returns the id of the withdrawal. */
export async function startWithdrawal(
  service: TestService,
  signWith: string,
  as: Sender = {},
): Promise<string> {
  const parameters = describedWithdrawal(signWith);
  const { status, body } = await service.submit('earn_withdraw', withdrawType, parameters, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body.activity.result.earnWithdrawResult.withdrawRequestId;
}

/** Sets the answer of a function of the test vault. */
export function vaultAnswers(
  service: TestService,
  signature: string,
  words: readonly bigint[],
  value: bigint,
  contract: string = testVault.address,
): void {
  service.outside.contractValues.set(`${contract}/0x${hex(callDataOf(signature, words))}`, value);
}

/** Sets how many tokens of an owner the test vault may take. */
export function allow(service: TestService, owner: string, value: bigint): void {
  const words = [BigInt(owner), BigInt(testVault.address)];
  vaultAnswers(service, 'allowance(address,address)', words, value, testToken);
}
