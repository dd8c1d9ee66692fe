// The faults of a simulation with their probabilities on each occasion.

import { table } from '../../src/core/base/table.ts';

export type Faults = {
  /** The store fails before the change. */
  readonly unavailableBefore: number;
  /** The store makes the change, but reports a failure. */
  readonly unavailableAfter: number;
  /** The store refuses a valid change as a conflict. */
  readonly conflict: number;
  /** Rows are outdated when they arrive. */
  readonly slowRead: number;
  /** In each step: */
  readonly linkCut: number;
  readonly enclaveCrash: number;
  readonly gatewayCrash: number;
  readonly storeCrash: number;
};

const calm: Faults = {
  unavailableBefore: 0,
  unavailableAfter: 0,
  conflict: 0,
  slowRead: 0.3,
  linkCut: 0,
  enclaveCrash: 0,
  gatewayCrash: 0,
  storeCrash: 0,
};

/** Sets of faults; each simulation has one of them. */
export const weathers = table<Faults>()({
  calm,
  store: { ...calm, unavailableBefore: 0.03, unavailableAfter: 0.05, conflict: 0.05 },
  crashes: { ...calm, linkCut: 0.003, enclaveCrash: 0.006, gatewayCrash: 0.005, storeCrash: 0.004 },
  storm: {
    ...calm,
    unavailableBefore: 0.02,
    unavailableAfter: 0.03,
    conflict: 0.05,
    linkCut: 0.003,
    enclaveCrash: 0.004,
    gatewayCrash: 0.003,
    storeCrash: 0.003,
  },
});
