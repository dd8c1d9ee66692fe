// A flood and its result.

import type { Signer } from '../../../bench/client.ts';

/** A real service behind one trusted proxy; X-Forwarded-For names the source of a request. */
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
  /** Duration of the measurement of the neighbour during the flood. */
  readonly seconds: number;
  /** Duration of the measurement of the neighbour before the flood. */
  readonly aloneSeconds: number;
};

/** Results of a neighbour's requests. */
export type Fared = {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Requests with a status other than 200. */
  readonly refused: number;
};

export type FloodResult = {
  readonly alone: Fared;
  readonly beside: Fared;
};

/** A case of the suite: a file of the folder floods/ exports one as `flood`. */
export type Flood = {
  readonly name: string;
  /** Bound on the 99th percentile during this flood, if it is longer than the general bound. */
  readonly longestMs?: number;
  readonly run: (bounds: Bounds) => Promise<FloodResult>;
};

/** The service as an attacker reaches it; the attack runs until its thread is terminated. */
export type Target = Omit<FloodedService, 'root'> & {
  /** The key of the attacker; it belongs to no user, unless the flood prepared one. */
  readonly attacker: Signer;
};
