import assert from 'node:assert/strict';
import type { Sender, TestService } from '../../support/harness.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeSolanaAccounts, solanaChain } from './solana_requests.ts';

export const gasUsageType = 'ACTIVITY_TYPE_UPSERT_GAS_USAGE_CONFIG';

/** The fee of a transaction with two signatures is 0.00001 SOL: 0.002 dollars. */
export const usdPerCoin = '200';
export const usdOfTwoSignatures = '0.002';

export const describedGasUsage = (changes: object = {}) => ({
  orgWindowLimitUsd: '10',
  subOrgWindowLimitUsd: '1',
  windowDurationMinutes: '60',
  ...changes,
});

export const sponsorOf = (address: string | undefined) => ({
  caip2: solanaChain,
  address,
  usdPerCoin,
});

/** Configures sponsorship as the root user. */
export async function configureGasUsage(
  service: TestService,
  changes: object = {},
): Promise<string> {
  const parameters = describedGasUsage(changes);
  const sent = await service.submit('upsert_gas_usage_config', gasUsageType, parameters);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  return sent.body.activity.result.upsertGasUsageConfigResult.gasUsageConfigId;
}

/** Creates a sponsor of the first organization, which pays for everything; returns its address. */
export async function makeSponsor(service: TestService, changes: object = {}): Promise<string> {
  const [address] = await makeSolanaAccounts(service);
  assert(address !== undefined);
  await configureGasUsage(service, { sponsors: [sponsorOf(address)], ...changes });
  const condition = "activity.resource == 'SPONSORSHIP' && activity.action == 'SIGN'";
  await makePolicy(service, 'Sponsor', { condition, consensus: undefined });
  return address;
}

/** The usage that a user reads. */
export async function usageOf(service: TestService, as: Sender = {}) {
  const { status, body } = await service.query('get_gas_usage', {}, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
