// What the conditions of 100 and of 1,000 typical policies cost against one signing request.
// node bench/policies.ts

import { type Clause, compileClause } from '../src/core/policy/language/clause.ts';
import { caselessText, type Scope } from '../src/core/policy/language/values.ts';

const rounds = 4_000;
const warmUpRounds = 2_000;

for (const count of [100, 1_000]) {
  const conditions = Array.from({ length: count }, (_, i) =>
    compileClause('condition', typicalCondition(i)),
  );
  const scope = signingScope();
  for (let round = 0; round < warmUpRounds; round += 1) evaluateAll(conditions, scope);
  const microseconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = process.hrtime.bigint();
    evaluateAll(conditions, scope);
    microseconds.push(Number(process.hrtime.bigint() - start) / 1_000);
  }
  microseconds.sort((a, b) => a - b);
  const at = (part: number) => (microseconds[Math.floor(rounds * part)] ?? 0).toFixed(1);
  process.stdout.write(
    `${count} policies: least ${at(0)} µs, p50 ${at(0.5)} µs, p99 ${at(0.99)} µs\n`,
  );
}

function evaluateAll(conditions: readonly Clause[], scope: Scope): number {
  let holding = 0;
  for (const condition of conditions) {
    const outcome = condition.evaluate(scope);
    if ('value' in outcome && outcome.value) holding += 1;
  }
  return holding;
}

/** One of eight shapes of condition that organizations write, with constants of its own. */
function typicalCondition(i: number): string {
  const id = identifier(i);
  const shapes = [
    `activity.action == 'SIGN' && wallet.id == '${id}'`,
    `activity.kind == 'SIGN_TRANSACTION'`,
    `activity.resource == 'POLICY' && (activity.action == 'CREATE' || activity.action == 'UPDATE')`,
    `eth.tx.to == '${address(i)}' && eth.tx.value <= ${i}000000000000000`,
    `eth.tx.chain_id == ${i} && eth.tx.to in ['${address(i)}', '${address(i + 1)}', '${address(i + 2)}']`,
    `eth.tx.to == '${address(i)}' && eth.tx.data[0..10] == '0xa9059cbb'`,
    `activity.resource in ['USER', 'POLICY', 'ORGANIZATION']`,
    `activity.type == 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2' && wallet_account.address == '${address(i)}'`,
  ];
  return shapes[i % shapes.length] ?? 'true';
}

function signingScope(): Scope {
  return {
    activity: {
      type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
      kind: 'SIGN_TRANSACTION',
      resource: 'PRIVATE_KEY',
      action: 'SIGN',
      params: { type: 'TRANSACTION_TYPE_ETHEREUM' },
    },
    wallet: { id: identifier(7), imported: false, exported: false, label: 'treasury' },
    wallet_account: { address: address(7) },
    eth: {
      tx: {
        from: caselessText(address(7)),
        to: caselessText(address(3)),
        data: `0xa9059cbb${address(11).slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}`,
        value: 1_000_000_000_000_000n,
        gas: 21_000n,
        gas_price: 30_000_000_000n,
        nonce: 3n,
        chain_id: 4n,
        max_fee_per_gas: 30_000_000_000n,
        max_priority_fee_per_gas: 1_000_000_000n,
        max_fee_per_blob_gas: 0n,
        type: 'TYPE_2',
        function_name: '',
        function_signature: '',
      },
    },
  };
}

function identifier(i: number): string {
  return `0198c1a2-7b3c-7def-8123-${i.toString(16).padStart(12, '0')}`;
}

function address(i: number): string {
  return `0x${(i + 1).toString(16).padStart(40, 'aBcD')}`;
}
