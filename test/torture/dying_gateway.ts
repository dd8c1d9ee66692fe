// Loaded into a gateway before its program (`node --import`). Once a signal has armed it, it kills the
// gateway or its enclave at a step of a commit. The program is unchanged.

import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { StatementSync } from 'node:sqlite';
import {
  armingSignal,
  type Moment,
  type Order,
  orderVariable,
  type Point,
  type Step,
  serviceSteps,
} from './steps.ts';

let armed: Step | undefined;
let left = 0;
process.on(armingSignal, () => {
  const order: Order = JSON.parse(readFileSync(process.env[orderVariable] ?? '', 'utf8'));
  armed = serviceSteps.find(({ name }) => name === order.step);
  left = order.count;
});

let enclave: ChildProcess | undefined;
subscribe('child_process', (message) => {
  if (message instanceof Object && 'process' in message) {
    enclave = message.process as ChildProcess;
  }
});

function reached(point: Point | undefined, moment: Moment): void {
  if (armed === undefined || point !== armed.at || moment !== armed.when) return;
  left -= 1;
  if (left > 0) return;
  const { dies } = armed;
  armed = undefined;
  if (dies !== 'gateway') enclave?.kill('SIGKILL');
  if (dies !== 'enclave') process.kill(process.pid, 'SIGKILL');
}

function passed(point: Point | undefined): void {
  reached(point, 'after');
  setImmediate(() => reached(point, 'later'));
}

/** True for connections whose open transaction writes. */
const isWriting = new WeakMap<object, boolean>();

function pointOf(connection: object, sql: string): Point | undefined {
  if (sql.startsWith('BEGIN')) isWriting.set(connection, !/^BEGIN$|READ ONLY/.test(sql));
  if (isWriting.get(connection) !== true) return undefined;
  if (sql.startsWith('BEGIN')) return 'begin';
  if (sql !== 'COMMIT') return 'row';
  isWriting.set(connection, false);
  return 'commit';
}

type Method = (this: object, ...given: unknown[]) => unknown;

/** Replaces a method of an object. */
function around(owner: object, name: string, make: (original: Method) => Method): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== 'function') throw new Error(`there is no method ${name}`);
  const call: Method = function (...given) {
    return Reflect.apply(original, this, given);
  };
  Reflect.set(owner, name, make(call));
}

for (const name of ['run', 'get', 'all']) {
  around(StatementSync.prototype, name, (run) => {
    return function (...values) {
      // The statements of each connection run through this method.
      const point = pointOf(StatementSync, String(Reflect.get(this, 'sourceSQL')));
      reached(point, 'before');
      const result = run.apply(this, values);
      passed(point);
      return result;
    };
  });
}

// Loads the driver only if the gateway itself does, from the packages of its program.
const driver: typeof import('pg') | undefined =
  process.env['KEYWRIGHT_DATABASE_URL'] === undefined
    ? undefined
    : createRequire(process.argv[1] ?? '')('pg');
around(driver?.Client.prototype ?? { query: () => undefined }, 'query', (query) => {
  return function (...given) {
    const [asked] = given;
    const sql = asked instanceof Object && 'text' in asked ? String(asked.text) : String(asked);
    const point = pointOf(this, sql);
    reached(point, 'before');
    const answer = query.apply(this, given);
    setImmediate(() => reached(point, 'sent'));
    if (answer instanceof Promise) {
      answer.then(
        () => passed(point),
        () => undefined,
      );
    }
    return answer;
  };
});

around(ServerResponse.prototype, 'end', (end) => {
  return function (...given) {
    reached('answer', 'before');
    const response = end.apply(this, given);
    setImmediate(() => reached('answer', 'after'));
    return response;
  };
});
