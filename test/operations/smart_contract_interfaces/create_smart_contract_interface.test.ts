import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../../src/core/base/bytes.ts';
import { maximumInterfaceCharacters } from '../../../src/core/contracts/smart_contract_interfaces.ts';
import { sha256 } from '../../../src/core/crypto/hashes.ts';
import { knownCalls } from '../../../src/core/transactions/calls/known_calls.ts';
import { interfaceRequestWarnings } from '../../../src/core/transactions/headline/interface_request.ts';
import { usdc, vault, vaultDescription } from '../../support/descriptions.ts';
import { startTestService } from '../../support/harness.ts';
import { checkActivity, checkRefused } from '../checks.ts';
import { addChild, addPlainUser, changeOrganization } from '../other_callers.ts';
import {
  abiOfLength,
  describedContract,
  ethereum,
  makeInterface,
  programAddress,
  programIdl,
  shownInterfaceIds,
  solana,
  tokenAddress,
} from './smart_contract_interface_requests.ts';

const wire = {
  operation: 'create_smart_contract_interface',
  type: 'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE',
  intent: 'createSmartContractInterfaceIntent',
  result: 'createSmartContractInterfaceResult',
};

test('create_smart_contract_interface: stores the interface of a contract', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = describedContract({ notes: 'of the treasury' });
  const { smartContractInterfaceId } = await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['notes'],
    malformed: [
      { smartContractAddress: '' },
      { smartContractAddress: '0x' },
      { smartContractAddress: `${tokenAddress}0` },
      { smartContractAddress: programAddress },
      { smartContractInterface: '' },
      { smartContractInterface: '{' },
      { smartContractInterface: '[]' },
      { smartContractInterface: programIdl },
      { smartContractInterface: abiOfLength(maximumInterfaceCharacters + 1) },
      { type: 'SMART_CONTRACT_INTERFACE_TYPE_TRON' },
      { label: '' },
      { label: 'x'.repeat(256) },
      { notes: 'x'.repeat(2_001) },
    ].map((changes) => ({
      field: `parameters.${Object.keys(changes)[0]}`,
      parameters: { ...parameters, ...changes },
    })),
  });
  const { smartContractInterface } = (
    await service.query('get_smart_contract_interface', { smartContractInterfaceId })
  ).body;
  assert.equal(smartContractInterface.notes, 'of the treasury');
});

test('create_smart_contract_interface: stores the interface of a Solana program', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const parameters = describedContract({
    type: solana,
    // The token program itself causes a warning.
    smartContractAddress: programAddress.replace('egQ', 'eGQ'),
    smartContractInterface: programIdl,
  });
  await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['notes'],
    malformed: [
      // One character less, two more, a character outside base58, 31 and 100 bytes, and an Ethereum
      // address.
      { smartContractAddress: programAddress.slice(1) },
      { smartContractAddress: `${programAddress}11` },
      { smartContractAddress: programAddress.replace('T', '0') },
      { smartContractAddress: '1'.repeat(31) },
      { smartContractAddress: '1'.repeat(100) },
      { smartContractAddress: tokenAddress },
      { smartContractInterface: describedContract().smartContractInterface },
      { smartContractInterface: JSON.stringify({ instructions: [] }) },
    ].map((changes) => ({
      field: `parameters.${Object.keys(changes)[0]}`,
      parameters: { ...parameters, ...changes },
    })),
  });
});

test('create_smart_contract_interface: stores a description of a deployment of the contract', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const text = JSON.stringify(vaultDescription);
  const parameters = describedContract({
    type: 'SMART_CONTRACT_INTERFACE_TYPE_ERC7730',
    smartContractAddress: vault,
    smartContractInterface: text,
  });
  await checkActivity(service, {
    ...wire,
    parameters,
    optional: ['notes'],
    malformed: [
      { smartContractInterface: describedContract().smartContractInterface },
      { smartContractInterface: JSON.stringify({ ...vaultDescription, includes: './other.json' }) },
      { smartContractInterface: text.replace('{', '{"display":{},') },
      { smartContractInterface: text.replaceAll(vault, usdc) },
    ].map((changes) => ({
      field: `parameters.${Object.keys(changes)[0]}`,
      parameters: { ...parameters, ...changes },
    })),
  });
  const taken = { status: 409, code: 6, text: /^smart contract interface already exists: 0x/ };
  await checkRefused(service, { ...wire, parameters }, taken);
  // Another text for the same address is another description, and the contract may also have an ABI.
  await makeInterface(service, { ...parameters, smartContractInterface: `${text} ` });
  await makeInterface(service, { smartContractAddress: vault });
});

test('create_smart_contract_interface: takes one per address, and organizations are independent', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const first = await makeInterface(service);
  const child = await addChild(service);
  await makeInterface(service, {}, child);
  const taken = { status: 409, code: 6, text: /^smart contract interface already exists: 0x/ };
  // The letter case of Ethereum addresses does not matter.
  for (const address of [tokenAddress, `0x${tokenAddress.slice(2).toUpperCase()}`]) {
    const parameters = describedContract({ smartContractAddress: address, label: 'Another' });
    await checkRefused(service, { ...wire, parameters }, taken);
  }
  assert.deepEqual(await shownInterfaceIds(service), [first]);
  // The letter case of Solana addresses distinguishes two programs.
  const program = { type: solana, smartContractInterface: programIdl };
  const second = await makeInterface(service, { ...program, smartContractAddress: programAddress });
  const swapped = programAddress.replace('egQ', 'eGQ');
  const third = await makeInterface(service, { ...program, smartContractAddress: swapped });
  assert.deepEqual(await shownInterfaceIds(service), [first, second, third]);
  // A deleted interface frees its address.
  const { status } = await service.submit(
    'delete_smart_contract_interface',
    'ACTIVITY_TYPE_DELETE_SMART_CONTRACT_INTERFACE',
    { smartContractInterfaceId: first },
  );
  assert.equal(status, 200);
  await makeInterface(service, { smartContractAddress: tokenAddress.toLowerCase() });
});

test('create_smart_contract_interface: bounds a text to 400,000 characters, and all to 2,500,000', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const addressOf = (i: number) => `0x${String(i).padStart(40, '0')}`;
  for (let i = 0; i < 6; i += 1) {
    const text = abiOfLength(maximumInterfaceCharacters);
    assert.equal(text.length, 400_000);
    await makeInterface(service, {
      smartContractAddress: addressOf(i),
      smartContractInterface: text,
    });
  }
  const parameters = describedContract({
    smartContractAddress: addressOf(6),
    smartContractInterface: abiOfLength(100_000),
  });
  const text =
    /^organization has exceeded maximum characters of smart contract interfaces: the limit is 2500000$/;
  await checkRefused(service, { ...wire, parameters }, { status: 429, code: 8, text });
  // A shorter text still fits, and one answer returns all texts.
  await makeInterface(service, { smartContractAddress: addressOf(6) });
  assert.equal((await shownInterfaceIds(service)).length, 7);
});

test('create_smart_contract_interface: an organization has at most 100', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  await changeOrganization(service, (draft, newId) => {
    const times = { createdAtMs: service.now(), updatedAtMs: service.now() };
    for (let i = 0; i < 99; i += 1) {
      const address = `0x${String(i).padStart(40, '0')}`;
      const row = { id: newId(), type: ethereum, address, label: 'Token', notes: '', ...times };
      draft.put('contract_interface', { ...row, digest: '', jsonUnits: 0 });
    }
    return undefined;
  });
  await makeInterface(service);
  const parameters = describedContract({ smartContractAddress: `0x${'f'.repeat(40)}` });
  const text = /^organization has exceeded maximum smart contract interfaces: the limit is 100$/;
  await checkRefused(service, { ...wire, parameters }, { status: 429, code: 8, text });
});

test('create_smart_contract_interface: warns of functions that cannot be decoded', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const of = (name: string, ...types: string[]) => ({
    type: 'function',
    name,
    inputs: types.map((type) => ({ name: '_', type })),
  });
  const abi = [of('one', 'uint256'), of('price', 'fixed168x10'), of('pair', 'uint256', 'uint256')];
  const parameters = describedContract({ smartContractInterface: JSON.stringify(abi) });
  const { status, body } = await service.submit(wire.operation, wire.type, parameters);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    body.warnings.map(({ code, name }: Record<string, string>) => [code, name]),
    [
      ['NOT_DECODED', 'price(fixed168x10)'],
      ['NOT_DECODED', 'pair(uint256,uint256)'],
    ],
  );
  assert.match(
    body.warnings[0].message,
    /policies read no facts of them: .*unknown type `fixed168x10`/,
  );
});

test('create_smart_contract_interface: warns of names with the selector or the bytes of another call', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const of = (name: string, ...types: string[]) => ({
    type: 'function',
    name,
    inputs: types.map((type, i) => ({ name: `a${i}`, type })),
  });
  const warned = async (changes: Parameters<typeof describedContract>[0]) => {
    const parameters = describedContract(changes);
    const { status, body } = await service.submit(wire.operation, wire.type, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    return (body.warnings ?? []).map(({ code, message }: Record<string, string>) => [
      code,
      message,
    ]);
  };
  const code = 'NAME_OF_ANOTHER_CALL';
  const advice = 'let policies compare selectors and bytes, not this name';
  const abi = [of('many_msg_babbage', 'bytes1'), of('approve', 'address', 'uint256')];
  assert.deepEqual(await warned({ smartContractInterface: JSON.stringify(abi) }), [
    [
      code,
      `many_msg_babbage(bytes1) has the selector of transfer(address,uint256), and explanations show that call: ${advice}`,
    ],
  ]);
  assert.deepEqual(
    [knownCalls.signatureOf('0xac9650d8'), knownCalls.signatureOf('0x12345678')],
    ['multicall(bytes[])', undefined],
  );
  const derived = [...sha256(utf8('global:deposit')).subarray(0, 8)];
  const idl = (discriminator: readonly number[]) =>
    JSON.stringify({ instructions: [{ name: 'deposit', discriminator, accounts: [], args: [] }] });
  const swapped = programAddress.replace('egQ', 'eGQ');
  const foreign = programAddress.replace('egQ', 'eGq');
  const program = (smartContractAddress: string, discriminator = derived) =>
    warned({
      type: solana,
      smartContractAddress,
      smartContractInterface: idl(discriminator),
    });
  assert.deepEqual(await program(swapped), []);
  assert.deepEqual(await program(foreign, derived.toReversed()), [
    [code, `deposit begins with other bytes than Anchor derives from the name: ${advice}`],
  ]);
  const token = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
  assert.deepEqual(await program(token), [
    [code, `${token} is a program that explanations read without the interface: ${advice}`],
  ]);
});

test('create_smart_contract_interface: approvers see the warnings that the author sees', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  const member = await addPlainUser(service);
  const policy = await service.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two of us',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'SMART_CONTRACT_INTERFACE'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  });
  assert.equal(policy.status, 200, JSON.stringify(policy.body));
  const abi = [
    { type: 'function', name: 'many_msg_babbage', inputs: [{ name: 'a', type: 'bytes1' }] },
    { type: 'function', name: 'price', inputs: [{ name: 'a', type: 'fixed168x10' }] },
  ];
  const parameters = describedContract({ smartContractInterface: JSON.stringify(abi) });
  const sent = (changes: object = {}, options: object = {}) =>
    service.submit(
      wire.operation,
      wire.type,
      { ...parameters, ...changes },
      {
        ...member,
        ...options,
      },
    );
  const { status, body } = await sent();
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const { explanation, fingerprint } = body.activity;
  assert.equal(
    explanation.summary,
    `Stores the interface ${parameters.label}, whose names policies and approvals then use for calls of the contract ${tokenAddress}.`,
  );
  const codes = (of: typeof explanation) => of.warnings.map(({ code }: { code: string }) => code);
  assert.deepEqual(codes(explanation), ['NAME_OF_ANOTHER_CALL', 'NOT_DECODED']);
  // The page and the terminal compute the same warnings from the signed bytes.
  assert.deepEqual(interfaceRequestWarnings(wire.type, parameters), explanation.warnings);
  const dry = await sent({}, { dryRun: true });
  assert.deepEqual(dry.body.dryRun.explanation, explanation);
  const approved = await service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint,
  });
  assert.equal(approved.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.deepEqual(
    approved.body.warnings.map(({ message }: { message: string }) => message),
    explanation.warnings.map(({ text }: { text: string }) => text),
  );
  // Approvers of an interface that cannot be stored learn the reason before they vote.
  const taken = await sent();
  assert.match(taken.body.activity.explanation.warnings[0].text, /already exists/);
  const address = `0x${'1'.repeat(40)}`;
  const invalid = await sent({ smartContractAddress: address, smartContractInterface: '[' });
  assert.deepEqual(codes(invalid.body.activity.explanation), ['NOT_DECODED']);
  const refused = { smartContractAddress: address, smartContractInterface: '[' };
  assert.deepEqual(
    interfaceRequestWarnings(wire.type, { ...parameters, ...refused }),
    invalid.body.activity.explanation.warnings,
  );
  assert.deepEqual(interfaceRequestWarnings('ACTIVITY_TYPE_CREATE_WALLET', parameters), []);
});
