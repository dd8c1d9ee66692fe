// The faults of a simulation, and how often: probabilities for each occasion.

import { table } from '../../src/core/base/table.ts';

export type Faults = {
  /** The store refuses before it did anything. */
  readonly unavailableBefore: number;
  /** The store did it, but says that it is not available. */
  readonly unavailableAfter: number;
  /** The store refuses a change that it could have taken. */
  readonly conflict: number;
  /** The read rows are old when they arrive. */
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

/** Weathers; a simulation has one of them. */
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
