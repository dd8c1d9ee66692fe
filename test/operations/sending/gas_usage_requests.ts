import assert from 'node:assert/strict';
import type { Sender, TestService } from '../../support/harness.ts';
import { testStation } from '../../support/outside.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeSender, sendChain } from './send_requests.ts';
import { makeSolanaAccounts, solanaChain } from './solana_requests.ts';

export const gasUsageType = 'ACTIVITY_TYPE_UPSERT_GAS_USAGE_CONFIG';

/** The fee of two signatures is 0.00001 SOL: 0.002 dollars. */
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

/** Returns a sponsor of the Ethereum test chain; a coin costs 2,000 dollars. */
export const ethereumSponsorOf = (address: string) => ({
  caip2: sendChain,
  address,
  delegate: testStation.delegate,
  usdPerCoin: '2000',
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

/** Creates a sponsor of the first organization, which pays all fees; returns its address. */
export async function makeSponsor(service: TestService, changes: object = {}): Promise<string> {
  const [address] = await makeSolanaAccounts(service);
  assert(address !== undefined);
  await configureGasUsage(service, { sponsors: [sponsorOf(address)], ...changes });
  await allowSponsor(service);
  return address;
}

/** Does the same for the Ethereum test chain. */
export async function makeEthereumSponsor(
  service: TestService,
  changes: object = {},
): Promise<string> {
  const address = await makeSender(service, {}, 'Sponsor');
  const limits = { subOrgWindowLimitUsd: '10' };
  const sponsors = [ethereumSponsorOf(address)];
  await configureGasUsage(service, { sponsors, ...limits, ...changes });
  await allowSponsor(service);
  return address;
}

async function allowSponsor(service: TestService): Promise<void> {
  const condition = "activity.resource == 'SPONSORSHIP' && activity.action == 'SIGN'";
  await makePolicy(service, 'Sponsor', { condition, consensus: undefined });
}

/** Returns the gas usage that a user reads. */
export async function usageOf(service: TestService, as: Sender = {}) {
  const { status, body } = await service.query('get_gas_usage', {}, as);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Approves an activity as the root user; returns its status, or the message of a refusal. */
export async function rootVote(service: TestService, fingerprint: string): Promise<string> {
  const type = 'ACTIVITY_TYPE_APPROVE_ACTIVITY';
  const { body } = await service.submit('approve_activity', type, { fingerprint });
  return body.activity?.status ?? body.message;
}
