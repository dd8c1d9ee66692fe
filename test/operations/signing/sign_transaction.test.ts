import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { curves } from '../../../src/core/crypto/curves.ts';
import { readTransaction } from '../../../src/core/transactions/kinds.ts';
import { transactionPart } from '../../../src/operations/signing/transactions.ts';
import { bytes } from '../../standards/vector_files.ts';
import { startTestService, type TestService, testKey } from '../../support/harness.ts';
import { checkActivity } from '../checks.ts';
import { addPlainUser } from '../other_callers.ts';
import { makeInterface } from '../smart_contract_interfaces/smart_contract_interface_requests.ts';
import { storeKeys } from './signing_keys.ts';
import {
  signTransactionType,
  signVector,
  transactionVectors,
  useInterfaceOf,
} from './transaction_vectors.ts';

const wire = {
  operation: 'sign_transaction',
  type: signTransactionType,
  intent: 'signTransactionIntentV2',
  result: 'signTransactionResult',
};

const vectorNamed = (name: string) => {
  const vector = transactionVectors.find((each) => each.name === name);
  assert(vector !== undefined, name);
  return vector;
};
const transfer = vectorNamed('type 2 transfer');
const parametersOf = ({ signWith, type, unsignedTransaction }: typeof transfer) => ({
  signWith,
  type,
  unsignedTransaction,
});

/** Starts a service with the key of the transfer; a plain user may sign what these conditions allow. */
async function started(...conditions: readonly string[]) {
  const service = await startTestService();
  const [privateKeyId = ''] = await storeKeys(service, [transfer]);
  const plain = await addPlainUser(service);
  for (const [i, condition] of conditions.entries()) {
    await createPolicy(service, { policyName: `Policy ${i}`, effect: 'EFFECT_ALLOW', condition });
  }
  return { service, privateKeyId, plain };
}

async function createPolicy(service: TestService, parameters: object): Promise<void> {
  const type = 'ACTIVITY_TYPE_CREATE_POLICY_V3';
  const { status, body } = await service.submit('create_policy', type, {
    notes: '',
    ...parameters,
  });
  assert.equal(status, 200, JSON.stringify(body));
}

test('sign_transaction: signs with the address of a private key', async (t) => {
  const { service } = await started();
  t.after(() => service.close());
  const parameters = parametersOf(transfer);
  const result = await checkActivity(service, {
    ...wire,
    parameters,
    malformed: [
      { field: 'parameters.signWith', parameters: { ...parameters, signWith: '' } },
      { field: 'parameters.type', parameters: { ...parameters, type: '' } },
      {
        field: 'parameters.unsignedTransaction',
        parameters: { ...parameters, unsignedTransaction: '' },
      },
      {
        field: 'parameters.unsignedTransaction',
        parameters: { ...parameters, unsignedTransaction: `${transfer.unsignedTransaction}00` },
      },
    ],
  });
  assert.deepEqual(result, { signedTransaction: transfer.signedTransaction });
});

test('sign_transaction: takes hex in any spelling, the older type, and the id of a private key', async (t) => {
  const { service, privateKeyId } = await started();
  t.after(() => service.close());
  const { unsignedTransaction, type } = transfer;
  for (const spelling of [
    `0x${unsignedTransaction}`,
    unsignedTransaction.toUpperCase(),
    `0x${unsignedTransaction.toUpperCase()}`,
  ]) {
    const vector = { ...transfer, unsignedTransaction: spelling };
    const { body } = await signVector(service, vector);
    assert.equal(
      body.activity.result.signTransactionResult.signedTransaction,
      transfer.signedTransaction,
    );
  }
  for (const [wireType, named] of [
    ['ACTIVITY_TYPE_SIGN_TRANSACTION', { privateKeyId }],
    [signTransactionType, { signWith: privateKeyId }],
  ] as const) {
    const parameters = { ...named, unsignedTransaction, type };
    const { body } = await service.submit(wire.operation, wireType, parameters);
    assert.equal(
      body.activity.result.signTransactionResult.signedTransaction,
      transfer.signedTransaction,
      JSON.stringify(body),
    );
  }
});

test('sign_transaction: an unknown type and an unsuitable account are refused by name', async (t) => {
  const { service } = await started();
  t.after(() => service.close());
  const unknown = await signVector(service, {
    ...transfer,
    type: 'TRANSACTION_TYPE_COSMOS' as 'TRANSACTION_TYPE_ETHEREUM',
  });
  assert.equal(unknown.status, 400);
  assert.equal(unknown.body.code, 3);
  assert.equal(unknown.body.turnkeyErrorCode, 'UNSUPPORTED_TRANSACTION_TYPE');
  assert.match(
    unknown.body.message,
    /`TRANSACTION_TYPE_COSMOS`: expected one of TRANSACTION_TYPE_ETH/,
  );

  const unfit = await signVector(service, { ...transfer, type: 'TRANSACTION_TYPE_SOLANA' });
  assert.equal(unfit.status, 400);
  assert.equal(unfit.body.turnkeyErrorCode, 'INVALID_TRANSACTION');
  assert.match(
    unfit.body.message,
    /^failed to parse transaction: `signWith`: expected exactly one address of ADDRESS_FORMAT_SOLANA, got ADDRESS_FORMAT_ETHEREUM$/,
  );
});

test('sign_transaction: a policy reads the signed transaction', async (t) => {
  const { service, plain } = await started('eth.tx.chain_id == 1 && eth.tx.value < 5');
  t.after(() => service.close());
  const refused = await signVector(service, transfer, plain);
  assert.equal(refused.status, 403);
  await createPolicy(service, {
    policyName: 'This one',
    effect: 'EFFECT_ALLOW',
    condition: `activity.params.type == 'TRANSACTION_TYPE_ETHEREUM' && eth.tx.type == 'TYPE_2' && eth.tx.from == '${transfer.signWith}' && private_key.imported`,
  });
  const allowed = await signVector(service, transfer, plain);
  assert.equal(allowed.status, 200, JSON.stringify(allowed.body));
});

test('sign_transaction: dry runs, decisions and waiting activities explain the transaction', async (t) => {
  const { service, plain } = await started();
  t.after(() => service.close());
  await createPolicy(service, {
    policyName: 'Two of us',
    effect: 'EFFECT_ALLOW',
    condition: "activity.kind == 'SIGN_TRANSACTION'",
    consensus: 'approvers.count() >= 2',
  });
  const { status, body } = await signVector(service, transfer, plain);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const { explanation } = body.activity;
  assert.match(explanation.summary, /ETH/);
  assert.equal(explanation.effects[0].kind, 'TRANSFER');
  assert.deepEqual(body.decision.explanation, explanation);

  const read = await service.query('get_activity', { activityId: body.activity.id });
  assert.deepEqual(read.body.activity.explanation, explanation);

  const dry = await service.submit(wire.operation, wire.type, parametersOf(transfer), {
    ...plain,
    dryRun: true,
  });
  assert.deepEqual(dry.body.dryRun.explanation, explanation);
  const { fingerprint } = body.activity;
  const approved = await service.submit('approve_activity', 'ACTIVITY_TYPE_APPROVE_ACTIVITY', {
    fingerprint,
  });
  assert.equal(approved.body.activity.status, 'ACTIVITY_STATUS_COMPLETED');
  assert.deepEqual(approved.body.activity.explanation, explanation);
  assert.equal(
    approved.body.activity.result.signTransactionResult.signedTransaction,
    transfer.signedTransaction,
  );
});

test('sign_transaction: a description explains a call, and gives policies no facts', async (t) => {
  const call = vectorNamed('type 2, ERC-20 transfer');
  const service = await startTestService();
  t.after(() => service.close());
  await storeKeys(service, [call]);
  const plain = await addPlainUser(service);
  await createPolicy(service, {
    policyName: 'By name',
    effect: 'EFFECT_ALLOW',
    condition: "eth.tx.function_name == 'transfer'",
  });
  const contract = String(
    Object.entries(call.interface ?? {}).find(([name]) => name === 'smartContractAddress')?.[1],
  );
  const description = {
    $schema: 'erc7730-v2.schema.json',
    context: { contract: { deployments: [{ chainId: 1, address: contract }] } },
    metadata: { owner: 'Example' },
    display: {
      formats: {
        'transfer(address to,uint256 value)': {
          intent: 'Send',
          fields: [
            { path: 'to', label: 'To', format: 'addressName' },
            { path: 'value', label: 'Amount' },
          ],
        },
      },
    },
  };
  await makeInterface(service, {
    type: 'SMART_CONTRACT_INTERFACE_TYPE_ERC7730',
    smartContractAddress: contract,
    smartContractInterface: JSON.stringify(description),
  });
  const refused = await signVector(service, call, plain);
  assert.equal(refused.status, 403, JSON.stringify(refused.body));
  const dry = await signVector(service, call, { key: testKey('root'), dryRun: true });
  const { effects, warnings } = dry.body.dryRun.explanation;
  const texts = effects
    .filter(({ kind }: { kind: string }) => kind === 'DESCRIPTION')
    .map(({ text }: { text: string }) => text);
  assert.match(texts[0], /^Send, says the stored description of Example \(sha256 [0-9a-f]{8}\)\.$/);
  assert.match(texts[1], /^To: 0x/);
  assert.match(texts[2], /^Amount: [0-9]+$/);
  assert.equal(texts.length, 3);
  assert(!warnings.some(({ code }: { code: string }) => code === 'NOT_DESCRIBED'));
});

test('sign_transaction: a vote uses the interfaces at its time', async (t) => {
  const call = vectorNamed('type 2, ERC-20 transfer');
  const service = await startTestService();
  t.after(() => service.close());
  await storeKeys(service, [call]);
  const plain = await addPlainUser(service);
  const other = testKey('second plain user');
  await addPlainUser(service, other);
  await useInterfaceOf(service, call);
  await createPolicy(service, {
    policyName: 'Two transfer tokens',
    effect: 'EFFECT_ALLOW',
    condition: "eth.tx.function_name == 'transfer'",
    consensus: 'approvers.count() >= 2',
  });
  const { body } = await signVector(service, call, plain);
  assert.equal(body.activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED');
  const { fingerprint } = body.activity;
  await useInterfaceOf(service, {});
  const type = 'ACTIVITY_TYPE_APPROVE_ACTIVITY';
  const refused = await service.submit('approve_activity', type, { fingerprint }, { key: other });
  assert.equal(refused.status, 403, JSON.stringify(refused.body));
});

test('the transaction part names the contract of each interface, and the digest of the signed bytes', () => {
  const account = {
    address: transfer.signWith,
    format: transfer.addressFormat,
    publicKey: curves.CURVE_SECP256K1.publicKeyOf(bytes(transfer.privateKey)),
  };
  const read = readTransaction('TRANSACTION_TYPE_ETHEREUM', transfer.unsignedTransaction, account);
  const interfacesAt = (address: string) => new Map([[address, { digest: 'd', text: '[]' }]]);
  const parts = ['0x01', '0x02'].map((address) =>
    transactionPart({ transaction: read, interfaces: interfacesAt(address) }),
  );
  assert.deepEqual(
    parts.map(({ interfaces }) => interfaces),
    [['0x01 d'], ['0x02 d']],
  );
  const [digest] = read.signedBytes;
  assert.equal(
    parts[0]?.signedDigest?.(),
    createHash('sha256')
      .update(digest ?? '')
      .digest('hex'),
  );
});
