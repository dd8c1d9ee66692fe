// Measures the time that the enclave's thread needs to read a transaction and compute its facts: typical
// transactions and the longest accepted ones of each chain, with hash, explanation and limits. node
// bench/transactions.ts

import { Psbt, Transaction } from 'bitcoinjs-lib';
import { hex } from '../src/core/base/bytes.ts';
import type { TransactionType } from '../src/core/base/enums.ts';
import { bitcoinLimits } from '../src/core/chains/bitcoin/transaction.ts';
import type { SigningAccount } from '../src/core/chains/chain.ts';
import { readEthereum } from '../src/core/chains/ethereum/read.ts';
import { writeEthereum } from '../src/core/chains/ethereum/write.ts';
import { readTransaction as readSolana } from '../src/core/chains/solana/read.ts';
import { writeTransaction as writeSolana } from '../src/core/chains/solana/write.ts';
import { readTempo } from '../src/core/chains/tempo/read.ts';
import { writeTempo } from '../src/core/chains/tempo/write.ts';
import { readTron } from '../src/core/chains/tron/read.ts';
import { writeTron } from '../src/core/chains/tron/write.ts';
import { abiLimits } from '../src/core/contracts/abi.ts';
import { parsedAbis } from '../src/core/contracts/abi_functions.ts';
import { idlLimits } from '../src/core/contracts/idl.ts';
import { parsedIdls } from '../src/core/contracts/idl_program.ts';
import { maximumInterfaceCharacters } from '../src/core/contracts/smart_contract_interfaces.ts';
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
  /** The target for the 99th percentile, in microseconds. */
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
  longest(
    'Bitcoin, 100 inputs before segwit to sign, each with a transaction of 9,000 bytes',
    typical('bitcoin', 'p2pkh, one input, mainnet', 'TRANSACTION_TYPE_BITCOIN', worstAim),
    manyOldCoins,
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
measureInterfaces();
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

/**
 * Returns a PSBT with 500 inputs, of which the account signs 100, and 500 outputs; the original input and
 * outputs come first.
 */
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

/**
 * Returns a PSBT with 100 inputs and their whole previous transactions, and outputs up to the maximum of
 * hashed bytes.
 */
function manyOldCoins(bytes: Uint8Array): Uint8Array {
  const [first] = Psbt.fromBuffer(bytes).data.inputs;
  if (first?.nonWitnessUtxo === undefined) throw new Error('there is no earlier transaction');
  const psbt = new Psbt();
  const before = Transaction.fromBuffer(first.nonWitnessUtxo);
  const own = before.outs[Psbt.fromBuffer(bytes).txInputs[0]?.index ?? 0];
  if (own === undefined) throw new Error('there is no spent output');
  for (let index = 0; index < 100; index += 1) {
    const earlier = new Transaction();
    earlier.addInput(new Uint8Array(32).fill(index + 1), 0);
    earlier.addOutput(own.script, 1_000_000n);
    earlier.addOutput(new Uint8Array(8_900).fill(0x51), 0n);
    psbt.addInput({ hash: earlier.getId(), index: 0, nonWitnessUtxo: earlier.toBuffer() });
  }
  const legacyOutputs = Math.floor((bitcoinLimits.legacyHashedBytes / 100 - 4_200) / 34);
  for (let index = 0; index < Math.min(legacyOutputs, 500); index += 1) {
    psbt.addOutput({ script: own.script, value: 1_000n });
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

/** Measures the parsing of the largest interfaces, which takes a turn of its own for each. */
function measureInterfaces(): void {
  const argument = (i: number) => ({ name: `a${i}`, type: 'u64' });
  const instructions = Array.from({ length: idlLimits.instructions }, (_, i) => ({
    name: `instruction${i}`,
    accounts: [],
    args: Array.from({ length: 11 }, (__, k) => argument(k)),
  }));
  const idl = JSON.stringify({ instructions, types: [] });
  const abi = JSON.stringify(
    Array.from({ length: abiLimits.functions }, (_, i) => ({
      type: 'function',
      name: `function${i}`,
      inputs: [{ type: 'uint256' }],
    })),
  );
  let number = 0;
  const row = (
    what: string,
    parsed: typeof parsedIdls | typeof parsedAbis,
    text: string,
    texts: number,
  ): void => {
    if (text.length > maximumInterfaceCharacters) throw new Error(`${what}: ${text.length}`);
    measureRuns(what, worstAim, 50, () => {
      for (let i = 0; i < texts; i += 1) {
        number += 1;
        parsed.of({ text, digest: `${number}` });
      }
    });
  };
  row(`an IDL of ${idl.length} characters`, parsedIdls, idl, 1);
  row(`an ABI of ${abi.length} characters`, parsedAbis, abi, 1);
}

function measure(row: Row, runs: number, run: (row: Row) => void): void {
  measureRuns(row.what, row.aim, runs, () => run(row));
}

function measureRuns(what: string, worstMicroseconds: number, runs: number, run: () => void): void {
  for (let i = 0; i < runs / 5; i += 1) run();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    run();
    return (performance.now() - start) * 1_000;
  }).sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(part * (runs - 1))] ?? 0;
  const [median, late] = [at(0.5), at(0.99)];
  const verdict = late <= worstMicroseconds ? 'met' : 'missed';
  const aim = `aim ${worstMicroseconds} µs: ${verdict}`;
  process.stdout.write(
    `${what}: median ${median.toFixed(0)} µs, p99 ${late.toFixed(0)} µs (${aim})\n`,
  );
}
