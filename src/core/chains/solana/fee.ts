// The maximum fee of a transaction.

import { readBudgetCall } from './compute_budget.ts';
import { programs } from './programs.ts';
import type { SolanaInstruction, SolanaTransaction } from './transaction.ts';

const lamportsPerSignature = 5_000n;
const maximumComputeUnits = 1_400_000n;
/** Compute units per instruction without a limit; built-in programs use less. */
const computeUnitsPerInstruction = 200_000n;
/** Compute units of an instruction that requests a budget (SIMD-0170). */
const computeUnitsPerAsked = 3_000n;
/** The price is in millionths of a lamport. */
const priceUnit = 1_000_000n;

/**
 * Returns the maximum fee in lamports, for signatures and priority. Undefined if the network rejects the
 * transaction, because a budget request is unreadable or repeated.
 */
export function maximumFee(transaction: SolanaTransaction): bigint | undefined {
  const { header, instructions, version, config } = transaction;
  const count = instructions.reduce(
    (sum, instruction) => sum + checkedSignatures(instruction, transaction),
    header.requiredSignatures,
  );
  const forSignatures = BigInt(count) * lamportsPerSignature;
  const priority = version === 'V1' ? (config?.priorityFee ?? 0n) : priorityFee(transaction);
  return priority === undefined ? undefined : forSignatures + priority;
}

function priorityFee(transaction: SolanaTransaction): bigint | undefined {
  const { instructions } = transaction;
  const asked = instructions.filter(
    (each) => programOf(each, transaction) === programs.computeBudget,
  );
  const calls = asked.map(readBudgetCall);
  const values = new Map(calls.flatMap((call) => (call ? [[call.name, call.value]] : [])));
  if (values.size < asked.length) return undefined;
  const others = BigInt(instructions.length - asked.length);
  const usual = others * computeUnitsPerInstruction + BigInt(asked.length) * computeUnitsPerAsked;
  const limit = values.get('computeUnitLimit') ?? usual;
  const units = limit < maximumComputeUnits ? limit : maximumComputeUnits;
  const price = values.get('computeUnitPrice') ?? 0n;
  return (units * price + priceUnit - 1n) / priceUnit;
}

/** Signatures that built-in programs verify cost as much as those of the transaction. */
function checkedSignatures(instruction: SolanaInstruction, transaction: SolanaTransaction): number {
  const [count = 0] = instruction.data;
  return signaturePrograms.has(programOf(instruction, transaction) ?? '') ? count : 0;
}

const signaturePrograms: ReadonlySet<string> = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);

const programOf = ({ programIndex }: SolanaInstruction, { addresses }: SolanaTransaction) =>
  addresses[programIndex];
