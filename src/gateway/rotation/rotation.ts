// Rotates the root key while the service runs. No command starts it: it begins once every enclave of every
// running node has the next root key. Each step derives its work from stored state, so a killed node starts
// again with the first step.
//
// 1. Each node sends its next key to its enclaves, and reports itself. A node without the key blocks the
//    next step.
// 2. One node opens all rows, and an enclave writes the record of the new epoch. New rows then have it.
// 3. Once every node seals in the new epoch, rows of the previous epoch are rejected.
// 4. Passes seal rows again, until a pass finds none to seal.
// 5. An enclave records that the rotation has ended. Enclaves wipe the earlier key, and each node destroys
//    the earlier key of its provider.

import type { RotationNode } from '../../store/tables/rotation.ts';
import type { RotationKeys } from '../root_key/custody.ts';
import type { EpochFence } from './fenced_commits.ts';
import { handOver, keysOfNode, type NodeKeys } from './node_keys.ts';
import { checkAllRows, resealRowsBefore } from './passes.ts';
import { createProgress, type Progress, type ProgressPorts } from './progress.ts';
import type { RotationStatus } from './status_file.ts';

type Ports = ProgressPorts & {
  /** Number of enclaves of this node. */
  readonly enclaves: number;
  readonly keys: RotationKeys | undefined;
  readonly fence: EpochFence;
  /** Called after the enclaves of this node seal in a new key epoch. */
  readonly epochBegan: () => Promise<void>;
  /** Name of this node for the operator. */
  readonly node: string;
  /** The status that an earlier run of this node showed last. */
  readonly shown: RotationStatus | undefined;
};

/** The state of this node between two steps. */
type Memory = {
  announcedAtMs: number | undefined;
  fencedEpoch: number;
  /** The newest epoch whose begin was reported. */
  begunEpoch: number;
  wasRotating: boolean;
  /** The status that an earlier run of this node showed last, if it was no end. */
  left: RotationStatus | undefined;
  /** Name of the key that replaced the earlier key. */
  installed: string | undefined;
};

/** Returns a function that takes one step. It returns true if the next step can follow at once. */
export function createRotation(ports: Ports): () => Promise<boolean> {
  const progress = createProgress(ports);
  const memory: Memory = {
    announcedAtMs: undefined,
    fencedEpoch: 0,
    begunEpoch: 0,
    wasRotating: false,
    left: ports.shown?.state === 'ended' ? undefined : ports.shown,
    installed: undefined,
  };
  return async () => {
    try {
      return await step(ports, progress, memory);
    } catch (error) {
      if (ports.stopped()) return false;
      const reason = error instanceof Error ? error.message : String(error);
      // Without a rotation, the enclave or the store is unavailable, and other code reports that.
      if (ports.keys?.exists() === true || progress.hasSaid()) {
        progress.say('failed', reason, ports.fence.least);
      }
      return false;
    }
  };
}

async function step(ports: Ports, progress: Progress, memory: Memory): Promise<boolean> {
  const { store, keys, fence } = ports;
  const own = await keysOfNode(ports.calls(), ports.enclaves);
  if (own === undefined) return false;
  const { epoch, isRotating, nextKey, secondKey } = own;
  fence.least = Math.max(fence.least, epoch);
  if (epoch > memory.begunEpoch) {
    await ports.epochBegan();
    memory.begunEpoch = epoch;
  }
  const hasNext = keys?.exists() === true;
  // The earlier run may have been killed after the end. An operator waits for the end before the earlier key
  // is removed, and the next start then rebuilds the database file.
  const hasEndedBefore =
    memory.left !== undefined && hasBegun(memory.left, epoch) && !hasNext && nextKey === undefined;
  if (!isRotating && (memory.wasRotating || hasEndedBefore)) {
    progress.say('ended', 'no row of the earlier root key is left', epoch);
    memory.left = undefined;
  }
  memory.wasRotating = isRotating;
  if (keys !== undefined && hasNext && secondKey !== undefined && secondKey !== memory.installed) {
    // A newer key in its place starts another rotation.
    if (await holdsAnotherKey(undefined, ports)) return true;
    keys.install();
    memory.installed = secondKey;
    progress.say('ended', 'the earlier root key opens no row any more, and was destroyed', epoch);
    return false;
  }
  if (keys !== undefined && hasNext && nextKey === undefined && !isRotating && !own.isEnding) {
    if (await handOver(ports.calls(), keys)) return true;
    progress.say('waiting', 'the next key is read at a start: restart the service', epoch);
  }
  const isWanted = nextKey !== undefined || isRotating;
  if (!isWanted && !(await store.isAnnounced())) {
    memory.announcedAtMs = undefined;
    return false;
  }
  const nodes = await store.report({ node: ports.node, nextKey, epoch }, isWanted);
  if (isRotating) return seal(own, nodes, { ports, progress, memory });
  if (nextKey !== undefined) return begin({ ...own, nextKey }, nodes, { ports, progress, memory });
  if (nodes.every((node) => node.nextKey === undefined && node.epoch === epoch)) {
    await store.finish();
  } else ports.log('warn', 'a rotation of the root key waits for the next key of this node', {});
  return false;
}

/**
 * Returns true if the epoch of a shown rotation has begun. The other states are also shown before the epoch
 * begins, and then the earlier key must stay.
 */
const hasBegun = (shown: RotationStatus, epoch: number): boolean =>
  shown.epoch < epoch || (shown.epoch === epoch && shown.state === 'sealing');

/** Reads the next key of the provider again. Returns true if the enclaves thereby have another key. */
async function holdsAnotherKey(
  nextKey: string | undefined,
  { calls, enclaves, keys }: Ports,
): Promise<boolean> {
  if (keys === undefined || !(await handOver(calls(), keys))) return false;
  const own = await keysOfNode(calls(), enclaves);
  return own?.nextKey !== nextKey;
}

type Parts = { readonly ports: Ports; readonly progress: Progress; readonly memory: Memory };

/** Begins the new epoch if every node has the same next key. */
async function begin(
  { nextKey, epoch }: NodeKeys & { readonly nextKey: string },
  nodes: readonly RotationNode[],
  { ports, progress, memory }: Parts,
): Promise<boolean> {
  const { store, clock } = ports;
  memory.announcedAtMs ??= clock();
  const others = nodes.filter((node) => node.nextKey !== nextKey);
  const leader = nodes[0]?.node;
  const reason =
    others.length > 0
      ? `waits for the same next root key at: ${namesOf(others)}`
      : clock() - memory.announcedAtMs < store.windowMs
        ? 'waits for reports of other nodes'
        : leader !== ports.node
          ? `${leader} begins the rotation`
          : undefined;
  if (reason !== undefined) {
    progress.say('waiting', reason, epoch);
    return false;
  }
  const node = { node: ports.node, nextKey, epoch };
  const webhookEpochs = await progress.pass('checking', node, checkAllRows);
  // A node may have started meanwhile.
  const again = await store.report(node, true);
  if (again.some((other) => other.nextKey !== nextKey)) return true;
  if (await holdsAnotherKey(nextKey, ports)) return true;
  const [call] = ports.calls();
  await call?.('advanceKeyEpoch', { webhookEpochs: [...webhookEpochs] });
  return true;
}

/** Seals rows of the previous epoch again, and ends the rotation if a pass finds no such row. */
async function seal(
  { epoch }: NodeKeys,
  nodes: readonly RotationNode[],
  { ports, progress, memory }: Parts,
): Promise<boolean> {
  const { store } = ports;
  const late = nodes.filter((node) => node.epoch < epoch);
  if (late.length > 0 || nodes[0]?.node !== ports.node) {
    const reason =
      late.length > 0
        ? `waits for the new key epoch at: ${namesOf(late)}`
        : `${nodes[0]?.node} seals the rows again`;
    progress.say('waiting', reason, epoch);
    return false;
  }
  if (memory.fencedEpoch !== epoch) {
    await store.fence(epoch);
    memory.fencedEpoch = epoch;
  }
  const node = { node: ports.node, nextKey: undefined, epoch };
  const { replaced, missed } = await progress.pass('sealing', node, (pass) =>
    resealRowsBefore(epoch, pass),
  );
  progress.addSealed(replaced);
  if (replaced + missed > 0 || !(await store.isClean(epoch))) return true;
  const [call] = ports.calls();
  await call?.('endKeyEpoch', undefined);
  return true;
}

const namesOf = (nodes: readonly RotationNode[]): string =>
  nodes.map(({ node }) => node).join(', ');
