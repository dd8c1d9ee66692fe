// The steps of a commit in the running service, and the victim at each step.

export type StoreName = 'sqlite' | 'postgres';

/** The step of the gateway: a statement of a transaction that writes, or an answer to a client. */
export type Point = 'begin' | 'row' | 'commit' | 'answer';

/**
 * `sent`: after the server got the statement, before its answer. `later`: after one more turn of the event
 * loop.
 */
export type Moment = 'before' | 'sent' | 'after' | 'later';

export type Step = {
  readonly name: string;
  readonly at: Point;
  readonly when: Moment;
  readonly dies: 'gateway' | 'enclave' | 'both';
  /** The only store with this step; absent if all stores have it. */
  readonly only?: StoreName;
};

export const serviceSteps: readonly Step[] = [
  { name: 'before its transaction', at: 'begin', when: 'before', dies: 'gateway' },
  { name: 'when its transaction was opened', at: 'begin', when: 'after', dies: 'gateway' },
  { name: 'before a row', at: 'row', when: 'before', dies: 'gateway' },
  { name: 'after a row', at: 'row', when: 'after', dies: 'gateway' },
  { name: 'before COMMIT', at: 'commit', when: 'before', dies: 'gateway' },
  { name: 'when rows were sent', at: 'row', when: 'sent', dies: 'gateway', only: 'postgres' },
  { name: 'when COMMIT was sent', at: 'commit', when: 'sent', dies: 'gateway', only: 'postgres' },
  { name: 'when it was durable', at: 'commit', when: 'after', dies: 'gateway' },
  { name: 'a turn after it was durable', at: 'commit', when: 'later', dies: 'gateway' },
  { name: 'before the answer', at: 'answer', when: 'before', dies: 'gateway' },
  { name: 'after the answer', at: 'answer', when: 'after', dies: 'gateway' },
  { name: 'enclave: before its transaction', at: 'begin', when: 'before', dies: 'enclave' },
  { name: 'enclave: when it was durable', at: 'commit', when: 'after', dies: 'enclave' },
  { name: 'enclave: a turn after that', at: 'commit', when: 'later', dies: 'enclave' },
  { name: 'both: when it was durable', at: 'commit', when: 'after', dies: 'both' },
];

/** The order to an armed gateway: die at this step, when it is reached for the nth time. */
export type Order = { readonly step: string; readonly count: number };

/** The environment variable with the path of the file in which the gateway finds its order. */
export const orderVariable = 'TORTURE_ORDER_FILE';

/** The signal that makes the gateway read its order. */
export const armingSignal = 'SIGUSR2';
