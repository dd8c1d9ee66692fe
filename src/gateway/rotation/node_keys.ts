// The root keys of this node: those of all its enclaves, and the next key of its provider.

import { wipe } from '../../core/base/bytes.ts';
import type { EnclaveMessages } from '../../ipc/messages.ts';
import type { Link } from '../../ipc/rpc.ts';
import type { RotationKeys } from '../root_key/custody.ts';

export type EnclaveCall = Link<EnclaveMessages>['call'];

/** The root keys that all enclaves of this node share. */
export type NodeKeys = {
  /** The key epoch of all rows that this node writes. */
  readonly epoch: number;
  readonly isRotating: boolean;
  /** Public name of the next root key that all enclaves have; undefined if an enclave lacks it. */
  readonly nextKey: string | undefined;
  /** Public name of the root key if it is the second key and the only one that all enclaves have. */
  readonly secondKey: string | undefined;
  /** True if a rotation has ended, and an enclave can still open rows of the earlier epoch. */
  readonly isEnding: boolean;
};

/**
 * Queries the enclaves, which thereby follow the record of key epochs. Returns undefined while an enclave is
 * missing.
 */
export async function keysOfNode(
  calls: readonly EnclaveCall[],
  enclaves: number,
): Promise<NodeKeys | undefined> {
  const known = await Promise.all(calls.map((call) => call('keyEpoch', undefined)));
  const [first] = known;
  if (first === undefined || known.length < enclaves) return undefined;
  const isRotating = known.some((each) => each.isRotating);
  const hasOneKey = known.every(
    ({ usesSecondKey, currentKey }) => usesSecondKey && currentKey === first.currentKey,
  );
  const opensOthers = known.some((each) => each.opensOthers);
  const hasNext = known.every(({ nextKey }) => nextKey === first.nextKey);
  return {
    epoch: Math.min(...known.map(({ epoch }) => epoch)),
    isRotating,
    nextKey: hasNext ? first.nextKey : undefined,
    secondKey: hasOneKey && !isRotating && !opensOthers ? first.currentKey : undefined,
    isEnding: !isRotating && known.some((each) => each.opensOthers && each.nextKey === undefined),
  };
}

/** Sends the next key of the provider to all enclaves. Returns false without a next key. */
export async function handOver(
  calls: readonly EnclaveCall[],
  keys: RotationKeys,
): Promise<boolean> {
  const next = await keys.read();
  if (next === undefined) return false;
  try {
    await Promise.all(calls.map((call) => call('giveNextKey', { rootKey: Uint8Array.from(next) })));
    return true;
  } finally {
    wipe(next);
  }
}
