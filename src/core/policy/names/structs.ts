// All names that expressions may read, and their types.

import { table } from '../../base/table.ts';
import { bitcoinNames } from './bitcoin.ts';
import { ethereumNames } from './ethereum.ts';
import { requestsNames } from './requests.ts';
import type { FieldRow, StructRow } from './row.ts';
import { solanaNames } from './solana.ts';
import { sparkNames } from './spark.ts';
import { tempoNames } from './tempo.ts';
import { tronNames } from './tron.ts';

/** All structs. A chain adds its file here, and its namespace to `Condition`. */
export const structs = table<StructRow>()({
  ...requestsNames,
  ...ethereumNames,
  ...solanaNames,
  ...tronNames,
  ...bitcoinNames,
  ...tempoNames,
  ...sparkNames,
});

export type StructName = keyof typeof structs;

/** Returns the row of a member by its name in the facts; undefined if the struct does not have it. */
export function fieldRowOf(struct: StructName, field: string): FieldRow | undefined {
  const { fields }: StructRow = structs[struct];
  const row = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return typeof row === 'string' ? { type: row } : row;
}

/** Returns true if this is the name of a struct. */
export function isStructName(name: string): name is StructName {
  return name in structs;
}

/** A namespace with a transaction: the name that clauses write and its structs. */
type TransactionNamespace = {
  readonly root: string;
  readonly namespace: StructName;
  readonly transaction: StructName;
};

/** The namespaces of all chains, in the order of `Condition`. */
export const transactionNamespaces: readonly TransactionNamespace[] = Object.entries(
  structs.Condition.fields,
).flatMap(([root, namespace]) => {
  if (typeof namespace !== 'string' || !isStructName(namespace)) return [];
  const transaction = fieldRowOf(namespace, 'tx')?.type;
  if (transaction === undefined || !isStructName(transaction)) return [];
  return [{ root, namespace, transaction }];
});
