// A flood, and the result of one.

import type { Signer } from '../../../bench/client.ts';

/** A real service, behind one proxy that it trusts: X-Forwarded-For says from which source a request is. */
export type FloodedService = {
  readonly port: number;
  readonly metricsPort: number;
  /** The root user of its first organization. */
  readonly root: Signer;
  /** The onboarding proxy of that organization. */
  readonly authProxyConfigId: string;
};

export type Bounds = {
  readonly service: FloodedService;
  /** How long the neighbour is measured beside the flood. */
  readonly seconds: number;
};

/** How the requests of a neighbour fared. */
export type Fared = {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Requests that were not answered 200. */
  readonly refused: number;
};

export type FloodResult = {
  readonly alone: Fared;
  readonly beside: Fared;
};

/** A case of the suite: a file of the folder floods/ exports one as `flood`. */
export type Flood = {
  readonly name: string;
  /** The longest time of the fastest 99 of 100 requests beside this flood, if the general bound is longer. */
  readonly longestMs?: number;
  readonly run: (bounds: Bounds) => Promise<FloodResult>;
};

/** The service as an attacker reaches it, which floods until its thread is ended. */
export type Target = Omit<FloodedService, 'root'> & {
  /** The key that the attacker has; of no user, unless the flood prepared one. */
  readonly attacker: Signer;
};
