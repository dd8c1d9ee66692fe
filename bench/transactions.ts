// How long reading a transaction and making its facts takes, in the enclave's thread:
// node bench/transactions.ts

import type { SigningAccount } from '../src/core/chains/chain.ts';
import type { EthereumTransaction } from '../src/core/chains/ethereum/transaction.ts';
import { writeEthereum } from '../src/core/chains/ethereum/write.ts';
import { ethereumKind } from '../src/core/transactions/ethereum.ts';
import {
  accountOf,
  readVectors,
  type TransactionVector,
  vectorBytes,
} from '../test/support/transaction_vectors.ts';

type Row = { readonly what: string; readonly runs: number; readonly run: () => void };

const vector = readVectors<TransactionVector>('ethereum').find(
  ({ name }) => name === 'type 2, ERC-20 transfer',
);
if (vector === undefined) throw new Error('there is no typical transaction');
const typical = vectorBytes(vector.unsignedTransaction);
const account = accountOf(vector);
const { smartContractAddress: address = '', smartContractInterface: text = '' } =
  vector.interface ?? {};
const interfaces = new Map([[address, { digest: text, text }]]);

function factsOf(bytes: Uint8Array, signer: SigningAccount): EthereumTransaction {
  const transaction = ethereumKind.format.read(bytes, signer);
  ethereumKind.facts(transaction, signer, interfaces);
  return transaction;
}

const widest = ethereumKind.format.read(typical, account);
const addresses = Array.from({ length: 5_600 }, (_, i) => ({
  address: Uint8Array.fromHex(i.toString(16).padStart(40, '0')),
  storageKeys: [],
}));
const longest = writeEthereum({ ...widest, accessList: addresses });

const rows: readonly Row[] = [
  { what: 'Ethereum, an ERC-20 transfer', runs: 50_000, run: () => factsOf(typical, account) },
  {
    what: 'Ethereum, 5,600 addresses, with the explanation',
    runs: 50,
    run: () => ethereumKind.explain(factsOf(longest, account), account, interfaces),
  },
];

for (const { what, runs, run } of rows) {
  for (let i = 0; i < runs / 5; i += 1) run();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const at = (part: number) => ((times[Math.floor(part * (runs - 1))] ?? 0) * 1_000).toFixed(0);
  process.stdout.write(`${what}: median ${at(0.5)} µs, p99 ${at(0.99)} µs\n`);
}
