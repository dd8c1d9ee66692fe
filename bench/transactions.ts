// How long it takes the enclave's thread to read a transaction and to make its facts, by chain: typical
// ones, and the longest that are accepted, with hash, explanation and what limits count.
// node bench/transactions.ts

import { Psbt } from 'bitcoinjs-lib';
import { hex } from '../src/core/base/bytes.ts';
import type { TransactionType } from '../src/core/base/enums.ts';
import type { SigningAccount } from '../src/core/chains/chain.ts';
import { readEthereum } from '../src/core/chains/ethereum/read.ts';
import { writeEthereum } from '../src/core/chains/ethereum/write.ts';
import { readTransaction as readSolana } from '../src/core/chains/solana/read.ts';
import { writeTransaction as writeSolana } from '../src/core/chains/solana/write.ts';
import { readTempo } from '../src/core/chains/tempo/read.ts';
import { writeTempo } from '../src/core/chains/tempo/write.ts';
import { readTron } from '../src/core/chains/tron/read.ts';
import { writeTron } from '../src/core/chains/tron/write.ts';
import type { InterfaceTexts } from '../src/core/transactions/described.ts';
import { readTransaction } from '../src/core/transactions/kinds.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../test/support/transaction_vectors.ts';

type Row = {
  readonly what: string;
  readonly type: TransactionType;
  readonly text: string;
  readonly account: SigningAccount;
  readonly interfaces: InterfaceTexts;
  /** Microseconds that the slowest hundredth may take. */
  readonly aim: number;
};

const worstAim = 20_000;

const rows: readonly Row[] = [
  typical('ethereum', 'type 2, ERC-20 transfer', 'TRANSACTION_TYPE_ETHEREUM', 60),
  typical('solana', 'legacy transfer', 'TRANSACTION_TYPE_SOLANA', 80),
  typical('bitcoin', 'p2wpkh, one input, mainnet', 'TRANSACTION_TYPE_BITCOIN', 120),
  typical('tron', 'TriggerSmartContract, TRC-20 transfer', 'TRANSACTION_TYPE_TRON', 60),
  typical('tempo', 'one call', 'TRANSACTION_TYPE_TEMPO', 60),
];

const worst: readonly Row[] = [
  longest('Ethereum, 5,600 addresses', rows[0], (bytes) =>
    writeEthereum({ ...readEthereum(bytes), accessList: manyAddresses(5_600) }),
  ),
  longest(
    'Solana, 64 transfers',
    typical('solana-v1', 'v1 transfer, full config', 'TRANSACTION_TYPE_SOLANA', worstAim),
    (bytes, account) => {
      const transaction = readSolana(bytes, account);
      const [instruction] = transaction.instructions;
      if (instruction === undefined) throw new Error('there is no instruction');
      return writeSolana({ ...transaction, instructions: Array(64).fill(instruction) });
    },
  ),
  longest(
    'Bitcoin, 500 inputs, 100 to sign, 500 outputs',
    typical('bitcoin', 'p2tr, one input, mainnet', 'TRANSACTION_TYPE_BITCOIN', worstAim),
    manyCoins,
  ),
  longest('Tron, a memo of 490,000 bytes', rows[3], (bytes) =>
    writeTron({ ...readTron(bytes).raw, data: new Uint8Array(490_000).fill(7) }),
  ),
  longest('Tempo, 32 calls', rows[4], (bytes) => {
    const transaction = readTempo(bytes);
    const [call] = transaction.calls;
    if (call === undefined) throw new Error('there is no call');
    const input = new Uint8Array(4_000).fill(7);
    return writeTempo({ ...transaction, calls: Array(32).fill({ ...call, input }) });
  }),
];

for (const row of rows) measure(row, 30_000, readWithFacts);
for (const row of worst) measure(row, 200, readWithEverything);

function typical(file: string, name: string, type: TransactionType, aim: number): Row {
  const vector = readVectors<TransactionVector>(file).find((each) => each.name === name);
  if (vector === undefined) throw new Error(`there is no ${name}`);
  const { smartContractAddress: address = '', smartContractInterface: text = '' } =
    vector.interface ?? {};
  return {
    what: `${file}, ${name}`,
    type,
    text: vector.unsignedTransaction,
    account: accountOf(vector),
    interfaces: new Map([[address, { digest: text, text }]]),
    aim,
  };
}

function longest(
  what: string,
  row: Row | undefined,
  grow: (bytes: Uint8Array, account: SigningAccount) => Uint8Array,
): Row {
  if (row === undefined) throw new Error(`there is nothing to grow for ${what}`);
  const grown = hex(grow(vectorBytes(row.text), row.account));
  return { ...row, what, text: grown, aim: worstAim };
}

function manyAddresses(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    address: Uint8Array.fromHex(i.toString(16).padStart(40, '0')),
    storageKeys: [],
  }));
}

/** 500 inputs, of which the account signs 100, and 500 outputs; the first two are those that were there. */
function manyCoins(bytes: Uint8Array): Uint8Array {
  const psbt = Psbt.fromBuffer(bytes);
  const spent = psbt.data.inputs[0]?.witnessUtxo;
  if (spent === undefined) throw new Error('there is no spent output');
  const foreign = { ...spent, script: spent.script.toReversed() };
  foreign.script.set([0x51, 0x20]);
  for (let index = 1; index < 500; index += 1) {
    const witnessUtxo = index < 100 ? spent : foreign;
    psbt.addInput({ hash: 'ab'.repeat(32), index, witnessUtxo });
  }
  for (let index = psbt.txOutputs.length; index < 500; index += 1) {
    psbt.addOutput({ script: spent.script, value: 1_000n });
  }
  return psbt.toBuffer();
}

function readWithFacts({ type, text, account, interfaces }: Row): void {
  readTransaction(type, text, account).facts(interfaces);
}

function readWithEverything({ type, text, account, interfaces }: Row): void {
  const transaction = readTransaction(type, text, account);
  transaction.facts(interfaces);
  transaction.explain(interfaces);
  transaction.transfers();
}

function measure(row: Row, runs: number, run: (row: Row) => void): void {
  for (let i = 0; i < runs / 5; i += 1) run(row);
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    run(row);
    return (performance.now() - start) * 1_000;
  }).sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(part * (runs - 1))] ?? 0;
  const [median, late] = [at(0.5), at(0.99)];
  const verdict = late <= row.aim ? 'met' : 'missed';
  const aim = `aim ${row.aim} µs: ${verdict}`;
  process.stdout.write(
    `${row.what}: median ${median.toFixed(0)} µs, p99 ${late.toFixed(0)} µs (${aim})\n`,
  );
}
