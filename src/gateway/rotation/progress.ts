// Runs passes of a rotation over all rows, and shows their progress.

import { ServiceError } from '../../core/errors/errors.ts';
import type { RotationNode, StoreRotation } from '../../store/tables/rotation.ts';
import { sealedTables } from '../../store/tables/sealed_columns.ts';
import type { Log } from '../observability/log.ts';
import type { EnclaveCall } from './node_keys.ts';
import type { PassPorts } from './passes.ts';
import type { RotationStatus } from './status_file.ts';

export type ProgressPorts = {
  readonly store: StoreRotation;
  /** The running enclaves of this node. */
  readonly calls: () => readonly EnclaveCall[];
  readonly clock: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Log;
  readonly show: (status: RotationStatus) => void;
  readonly stopped: () => boolean;
};

export type Progress = {
  /** Shows a state, and logs it if it has changed. */
  say(state: RotationStatus['state'], sentence: string, epoch: number): void;
  hasSaid(): boolean;
  /** Adds the number of rows that were sealed again. */
  addSealed(rows: number): void;
  /** Runs a pass over all rows, during which this node keeps reporting itself. */
  pass<Result>(
    state: 'checking' | 'sealing',
    node: RotationNode,
    work: (ports: PassPorts) => Promise<Result>,
  ): Promise<Result>;
};

/** Milliseconds between two reports of this node during a pass. */
const reportEveryMs = 1_000;

const sentences = { checking: 'opens every row', sealing: 'seals every row again' } as const;

export function createProgress(ports: ProgressPorts): Progress {
  const { store, calls, clock, pause, log, show, stopped } = ports;
  const counts = { rows: 0, total: 0, sealed: 0 };
  let last: Pick<RotationStatus, 'state' | 'sentence'> | undefined;

  function say(state: RotationStatus['state'], sentence: string, epoch: number): void {
    if (last?.state !== state || last.sentence !== sentence) {
      log(state === 'failed' ? 'error' : 'info', `root key rotation: ${sentence}`, { epoch });
    }
    last = { state, sentence };
    show({ state, sentence, epoch, ...counts });
  }

  return {
    say,
    hasSaid: () => last !== undefined,
    addSealed: (rows) => {
      counts.sealed += rows;
    },
    pass: async (state, node, work) => {
      const rewriter = await store.rewriter();
      let reportedAtMs = clock();
      const seen = async (rows: number): Promise<void> => {
        counts.rows += rows;
        if (stopped()) throw new ServiceError('draining');
        if (clock() - reportedAtMs < reportEveryMs) return;
        reportedAtMs = clock();
        say(state, sentences[state], node.epoch);
        await store.report(node, true);
      };
      try {
        counts.rows = 0;
        counts.total = 0;
        for (const { table } of sealedTables) counts.total += await rewriter.count(table);
        say(state, sentences[state], node.epoch);
        return await work({ rewriter, calls, clock, pause, seen });
      } finally {
        await rewriter.close();
      }
    },
  };
}
