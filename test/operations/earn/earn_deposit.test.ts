import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Interface, Transaction } from 'ethers';
import { startTestService, type TestService } from '../../support/harness.ts';
import { testStation, testToken, testVault } from '../../support/outside.ts';
import { assertRefused, assertViolation, checkActivity } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import { makePolicy } from '../policies/policy_requests.ts';
import { makeEthereumSponsor } from '../sending/gas_usage_requests.ts';
import { makeSender, unsettled } from '../sending/send_requests.ts';
import { allow, depositType, describedDeposit, vaultAnswers } from './earn_requests.ts';

const operation = 'earn_deposit';
const contracts = new Interface([
  'function approve(address spender, uint256 value)',
  'function deposit(uint256 assets, address receiver)',
]);

async function started() {
  const service = await startTestService();
  return { service, signWith: await makeSender(service) };
}

const signedOf = async (service: TestService) =>
  (await unsettled(service))
    .map(({ signedTransaction }) => Transaction.from(signedTransaction))
    .sort((a, b) => a.nonce - b.nonce);

/** Returns the called contract, the function and its arguments. */
function readCall({ to, data, value }: Transaction) {
  const call = contracts.parseTransaction({ data });
  assert.equal(value, 0n);
  return [to?.toLowerCase(), call?.name, ...(call?.args ?? [])];
}

test('earn_deposit: approves exactly the amount and deposits it, in two transactions', async (t) => {
  const { service, signWith } = await started();
  t.after(() => service.close());
  const parameters = describedDeposit(signWith);
  const result = await checkActivity(service, {
    operation,
    type: depositType,
    intent: 'earnDepositIntent',
    result: 'earnDepositResult',
    parameters,
    optional: [],
    malformed: [
      { field: 'parameters.chainCaip2', parameters: { ...parameters, caip2: 'eip155:2' } },
      { field: 'parameters.assets', parameters: { ...parameters, assets: 'MAX' } },
      { field: 'parameters.chainCaip2', parameters: { ...parameters, chainCaip2: 'eip155:5' } },
      {
        field: 'parameters.wrapperAddress',
        parameters: { ...parameters, wrapperAddress: testToken },
      },
      {
        field: 'parameters.signWith',
        parameters: { ...parameters, signWith: '01900000-0000-7000-8000-000000000000' },
      },
    ],
  });
  const [approval, deposit, ...more] = await signedOf(service);
  assert(approval !== undefined && deposit !== undefined && more.length === 0);
  assert.deepEqual([approval.from, approval.nonce], [signWith, 0]);
  assert.deepEqual([deposit.from, deposit.nonce], [signWith, 1]);
  const vault = testVault.address;
  const spender = deposit.to;
  assert.deepEqual(readCall(approval), [testToken, 'approve', spender, 100n]);
  assert.deepEqual(readCall(deposit), [vault, 'deposit', 100n, signWith]);
  // A node cannot estimate the gas before the approval lands, so the gas limit is configured.
  assert.equal(deposit.gasLimit, BigInt(testVault.depositGas));
  const sends = await unsettled(service);
  const last = sends.find(({ sendId }) => sendId === result.depositRequestId);
  assert.equal(last?.transactionHash, deposit.hash);
});

test('earn_deposit: omits the approval if the vault may already take the amount', async (t) => {
  const { service, signWith } = await started();
  t.after(() => service.close());
  allow(service, signWith, 100n);
  const { status } = await service.submit(operation, depositType, describedDeposit(signWith));
  assert.equal(status, 200);
  const [deposit, ...more] = await signedOf(service);
  assert(deposit !== undefined && more.length === 0);
  assert.deepEqual(readCall(deposit).slice(0, 3), [testVault.address, 'deposit', 100n]);
});

test('earn_deposit: policies decide on the approval and on the deposit', async (t) => {
  const { service, signWith } = await started();
  t.after(() => service.close());
  const as = await addPlainUser(service);
  const send = (changes: object = {}) =>
    service.submit(operation, depositType, describedDeposit(signWith, changes), as);
  const policy = (name: string, condition: string, effect = 'EFFECT_ALLOW') =>
    makePolicy(service, name, { condition, consensus: undefined, effect });
  assertRefused(await send(), 403, 7);
  await policy('Vault', `eth.tx.to == '${testVault.address}'`);
  assertRefused(await send(), 403, 7);
  // An ALLOW must cover all calls of a request.
  await policy('Token', `eth.tx.to == '${testToken}'`);
  assertRefused(await send(), 403, 7);
  await policy('Both', `eth.tx.to in ['${testVault.address}', '${testToken}']`);
  assert.equal((await send()).status, 200);
  const word = 1_000n.toString(16).padStart(64, '0');
  await policy('No', `eth.tx.data[10..74] == '${word}'`, 'EFFECT_DENY');
  assertRefused(await send({ assets: '1000' }), 403, 7);
  assert.equal((await signedOf(service)).length, 2);
});

test('earn_deposit: a sponsor delivers both calls in one transaction', async (t) => {
  const { service, signWith } = await started();
  t.after(() => service.close());
  const sponsor = await makeEthereumSponsor(service);
  const parameters = describedDeposit(signWith, { sponsor: true });
  const { status, body } = await service.submit(operation, depositType, parameters);
  assert.equal(status, 200, JSON.stringify(body));
  const [signed, ...more] = await signedOf(service);
  assert(signed !== undefined && more.length === 0);
  assert.deepEqual([signed.from, signed.to?.toLowerCase()], [sponsor, testStation.address]);
  const batch = new Interface([
    'function executeBatch(address sender, tuple(address to, uint256 value, bytes data)[] calls, bytes)',
  ]).parseTransaction({ data: signed.data });
  assert.equal(batch?.args[0], signWith);
  const names = batch?.args[1].map(({ data }: { data: string }) => {
    return contracts.parseTransaction({ data })?.name;
  });
  assert.deepEqual(names, ['approve', 'deposit']);
});

test('earn_deposit: signs nothing if the vault differs from the settings of the operator', async (t) => {
  const { service, signWith } = await started();
  t.after(() => service.close());
  const send = () => service.submit(operation, depositType, describedDeposit(signWith));
  vaultAnswers(service, 'previewDeposit(uint256)', [100n], 0n);
  assertViolation(await send(), 'parameters.assets');
  vaultAnswers(service, 'asset()', [], 5n);
  const refused = await send();
  assertRefused(refused, 400, 9);
  assert.match(refused.body.message, /does not respond like a vault/);
  service.outside.chainsDown.add('eip155:1');
  assertRefused(await send(), 503, 14);
  assert.deepEqual(await unsettled(service), []);
});

test('earn_deposit: a deployment without vaults is refused with the reason', async (t) => {
  const service = await startTestService({ deployment: { chains: [] } });
  t.after(() => service.close());
  const parameters = describedDeposit(`0x${'12'.repeat(20)}`);
  const refused = await service.submit(operation, depositType, parameters);
  assertRefused(refused, 400, 9);
  assert.match(refused.body.message, /the operator configured no vaults/);
});
