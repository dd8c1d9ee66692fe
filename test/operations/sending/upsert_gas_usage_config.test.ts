import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/harness.ts';
import { testStation } from '../../support/outside.ts';
import { assertRefused, assertViolation, checkActivity } from '../checks.ts';
import { addChild } from '../other_callers.ts';
import {
  configureGasUsage,
  describedGasUsage,
  ethereumSponsorOf,
  gasUsageType,
  sponsorOf,
  usageOf,
} from './gas_usage_requests.ts';
import { makeSender } from './send_requests.ts';
import { makeSolanaAccounts, payee } from './solana_requests.ts';

const operation = 'upsert_gas_usage_config';

test('upsert_gas_usage_config: sets sponsors and limits, and keeps omitted sponsors', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const [address] = await makeSolanaAccounts(service);
  const sponsor = sponsorOf(address);
  const ofEthereum = ethereumSponsorOf(await makeSender(service));
  const parameters = describedGasUsage({
    userWindowLimitUsd: '0.5',
    enabled: true,
    solanaConfig: { rentPrefundEnabled: false },
    sponsors: [sponsor, ofEthereum],
  });
  const result = await checkActivity(service, {
    operation,
    type: gasUsageType,
    intent: 'upsertGasUsageConfigIntent',
    result: 'upsertGasUsageConfigResult',
    parameters,
    optional: ['userWindowLimitUsd', 'enabled', 'solanaConfig', 'sponsors'],
    malformed: [
      ...['-1', '1e3', '0.0000000001', '01', '1234567890123'].map((orgWindowLimitUsd) => ({
        field: 'parameters.orgWindowLimitUsd',
        parameters: { ...parameters, orgWindowLimitUsd },
      })),
      ...['0', '43201', '1.5'].map((windowDurationMinutes) => ({
        field: 'parameters.windowDurationMinutes',
        parameters: { ...parameters, windowDurationMinutes },
      })),
      {
        field: 'parameters.sponsors.1.caip2',
        parameters: { ...parameters, sponsors: [sponsor, sponsor] },
      },
      {
        field: 'parameters.sponsors.0.address',
        parameters: { ...parameters, sponsors: [{ ...sponsor, caip2: 'eip155:1' }] },
      },
      {
        field: 'parameters.sponsors.0.delegate',
        parameters: { ...parameters, sponsors: [{ ...sponsor, delegate: testStation.delegate }] },
      },
      {
        field: 'parameters.sponsors.0.delegate',
        parameters: { ...parameters, sponsors: [{ ...ofEthereum, delegate: ofEthereum.address }] },
      },
      {
        field: 'parameters.sponsors.0.delegate',
        parameters: { ...parameters, sponsors: [{ ...ofEthereum, delegate: undefined }] },
      },
      {
        field: 'parameters.sponsors.0.usdPerCoin',
        parameters: { ...parameters, sponsors: [{ ...sponsor, usdPerCoin: '0.0' }] },
      },
      {
        field: 'parameters.solanaConfig.rentPrefundEnabled',
        parameters: { ...parameters, solanaConfig: { rentPrefundEnabled: true } },
      },
    ],
  });
  assert.match(result.gasUsageConfigId, /^[0-9a-f-]{36}$/);
  const changed = await configureGasUsage(service, { orgWindowLimitUsd: '7' });
  assert.equal(changed, result.gasUsageConfigId);
  assert.deepEqual(await usageOf(service), {
    windowDurationMinutes: 60,
    windowLimitUsd: '7',
    usageUsd: '0',
  });
});

test('upsert_gas_usage_config: a parent names its own accounts', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const child = await addChild(service);
  const atChild = await service.submit(operation, gasUsageType, describedGasUsage(), child);
  assertRefused(atChild, 400, 9);
  assert.match(atChild.body.message, /its parent .* sponsors it/);
  const [ofChild] = await makeSolanaAccounts(service, { as: child });
  for (const address of [payee.toBase58(), ofChild]) {
    const parameters = describedGasUsage({ sponsors: [sponsorOf(address)] });
    assertRefused(await service.submit(operation, gasUsageType, parameters), 404, 5);
  }
  const twice = describedGasUsage({ orgWindowLimitUsd: '' });
  assertViolation(
    await service.submit(operation, gasUsageType, twice),
    'parameters.orgWindowLimitUsd',
  );
});
