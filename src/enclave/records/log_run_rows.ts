// The rows of enclave runs in the log: the texts of their boot entries, and the trees that they signed.

import type { StoredRecord, StorePort } from '../../store/port.ts';
import { type LogCodec, logId } from './log_codec.ts';

/** The tree after a batch, signed by the run that appended the batch. */
type SignedTree = {
  readonly size: number;
  /** Size of the tree before the batch. */
  readonly from: number;
  /** Index of the run's boot entry. */
  readonly boot: number;
  /** The checkpoint with the signature of the run, as a note. */
  readonly note: string;
};

export type RunRows = {
  rowOfBoot(index: number, text: string, version: number): StoredRecord;
  rowOfSignedTree(tree: SignedTree, version: number): StoredRecord;
  /** Returns the text of the boot entry at an index. */
  bootAt(index: number): Promise<string | undefined>;
  /** Returns the signed tree of the batch that appended the entry at an index. */
  signedTreeWith(index: number): Promise<SignedTree | undefined>;
};

const bootKind = 'log_boot';
const treeKind = 'log_signed_tree';
const digits = 16;

/** Returns the row id of an index or a size. Ids sort like their numbers. */
const idOf = (number: number): string => String(number).padStart(digits, '0');

type BootRow = { readonly id: string; readonly text: string };
type TreeRow = SignedTree & { readonly id: string };

export function createRunRows(
  store: Pick<StorePort, 'records' | 'recordPage'>,
  { sealed, opened }: LogCodec,
): RunRows {
  return {
    rowOfBoot: (index, text, version) =>
      sealed(logId, bootKind, { id: idOf(index), text } satisfies BootRow, version),
    rowOfSignedTree: (tree, version) =>
      sealed(logId, treeKind, { id: idOf(tree.size), ...tree } satisfies TreeRow, version),
    bootAt: async (index) => {
      const ids = [idOf(index)];
      const [row] = await store.records({ organizationId: logId, kind: bootKind, ids });
      return row && opened<BootRow>(logId, bootKind, row).text;
    },
    signedTreeWith: async (index) => {
      const page = { greaterThan: idOf(index), lessThan: undefined, ascending: true, limit: 1 };
      const rows = { organizationId: logId, kind: treeKind, groupId: undefined, page };
      const [row] = await store.recordPage(rows);
      const tree = row && opened<TreeRow>(logId, treeKind, row);
      return tree !== undefined && tree.from <= index ? tree : undefined;
    },
  };
}
