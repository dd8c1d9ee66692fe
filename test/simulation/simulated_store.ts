// A database as nodes see it: reads and changes arrive, wait and are answered as events. Changes stay in
// memory until a flush makes them durable; a crash loses them before.

import { keyEpochId } from '../../src/core/custody/sealed_form.ts';
import { ServiceError } from '../../src/core/errors/errors.ts';
import type { CommitOutcome, StoreChange, StorePort } from '../../src/store/port.ts';
import type { Choice } from './choice.ts';
import type { Faults } from './faults.ts';
import type { Schedule } from './schedule.ts';
import { createStoreModel } from './store_model.ts';

export type SimulatedStore = ReturnType<typeof createSimulatedStore>;

type Waiting = {
  readonly owner: string;
  readonly change: StoreChange;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: Error) => void;
};

/** Creates the store. `committed` receives each change when it becomes durable. */
export function createSimulatedStore(ports: {
  schedule: Schedule;
  choice: Choice;
  faults: () => Faults;
  committed: (change: StoreChange) => void;
  /** Called for each change that was committed on a later version than that of its decision. */
  passed?: () => void;
  /** Receives each change that was really too late. */
  overtaken: (change: StoreChange) => void;
}) {
  const { schedule, choice, faults } = ports;
  const model = createStoreModel();
  let waiting: Waiting[] = [];
  const flushLine = 'store/flush';

  function flush(): void {
    const count = 1 + choice.below(waiting.length);
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const { owner, change, resolve, reject } of batch) {
      const isLater = change.conditions.some(({ organizationId, version }) => {
        return model.versionOf(organizationId) > version;
      });
      const outcome = model.commit(change);
      if (outcome === 'committed' && isLater) ports.passed?.();
      if (outcome === 'committed') ports.committed(change);
      if (outcome === 'conflict') ports.overtaken(change);
      schedule.addAlone(owner, `${owner}: ${outcome}`, () => {
        if (choice.chance(faults().unavailableAfter)) reject(unavailable('after the commit'));
        else resolve(outcome);
      });
    }
    if (waiting.length > 0) schedule.add(flushLine, 'store: flush', flush);
  }

  function unavailable(when: string): ServiceError {
    schedule.note(`  the store is not available, ${when}`);
    return new ServiceError('store_unavailable');
  }

  /** Returns the port of one node. `owner` names the node's events. */
  function portOf(owner: string): StorePort {
    function asked<Value>(what: string, read: () => Promise<Value>): Promise<Value> {
      const { promise, resolve, reject } = Promise.withResolvers<Value>();
      schedule.addAlone(owner, `${owner}: reads ${what}`, () => {
        if (choice.chance(faults().unavailableBefore)) return reject(unavailable('to be read'));
        const value = read();
        if (!choice.chance(faults().slowRead)) return resolve(value);
        schedule.addAlone(owner, `${owner}: gets ${what}`, () => resolve(value));
      });
      return promise;
    }
    const { port } = model;
    return {
      deployment: () => asked('the deployment', port.deployment),
      organization: (request) =>
        // An enclave reads this row during its start, before its node takes part in the schedule.
        request.organizationId === keyEpochId
          ? port.organization(request)
          : asked('an organization', () => port.organization(request)),
      children: (request) => asked('children', () => port.children(request)),
      records: (request) => asked('records', () => port.records(request)),
      recordPage: (request) => asked('a page of records', () => port.recordPage(request)),
      lookup: (request) => asked('a look-up', () => port.lookup(request)),
      lookups: (request) => asked('look-ups', () => port.lookups(request)),
      activity: (request) => asked('an activity', () => port.activity(request)),
      activityPage: (request) => asked('a page of activities', () => port.activityPage(request)),
      deliveryPage: (request) => asked('deliveries', () => port.deliveryPage(request)),
      commit: (change) => {
        const { promise, resolve, reject } = Promise.withResolvers<CommitOutcome>();
        // A change sent to a separate database arrives even if its sender crashed.
        schedule.addAlone(`${owner}!`, `${owner}: sends a change`, () => {
          if (choice.chance(faults().unavailableBefore))
            return reject(unavailable('to be changed'));
          if (choice.chance(faults().conflict)) {
            schedule.note('  a conflict out of nothing');
            return resolve('conflict');
          }
          waiting.push({ owner, change, resolve, reject });
          if (waiting.length === 1) schedule.add(flushLine, 'store: flush', flush);
        });
        return promise;
      },
    };
  }

  return {
    portOf,
    /** The durable part of the store, without events. */
    durable: model.port,
    /** Loses all changes that are not durable; their senders receive a failure. */
    crash: () => {
      schedule.cut(flushLine);
      for (const { owner, reject } of waiting) {
        schedule.addAlone(owner, `${owner}: loses the store`, () => {
          reject(new ServiceError('store_unavailable'));
        });
      }
      waiting = [];
    },
  };
}
