// Runs internal messages. Each takes a turn of the thread after a custody check.

import {
  type EnclaveMessages,
  enclaveMessages,
  type Phase,
  type ServiceWork,
} from '../../ipc/messages.ts';
import type { HandlersIn } from '../../ipc/phases.ts';
import type { FairTurns } from './fair_turns.ts';
import { accountOfService } from './request_accounts.ts';

type Running = HandlersIn<'running', EnclaveMessages>;

type WorkPorts = {
  readonly turns: FairTurns;
  readonly large: {
    run<Answer>(check: () => void, read: () => Promise<Answer>): Promise<Answer>;
  };
  readonly custody: { check(): Promise<void>; checkChanges(): Promise<void> };
};

/** Wraps the handlers. A handler of a message with `work` runs according to its row in the table. */
export function workInTurn(handlers: Running, ports: WorkPorts): Running {
  const rows = new Map<string, { readonly phase: Phase; readonly work?: ServiceWork }>(
    Object.entries(enclaveMessages),
  );
  const wrapped = Object.entries(handlers).map(([name, handle]) => {
    const work = rows.get(name)?.work;
    return [name, work === undefined ? handle : inTurn(handle as Handle, work, ports)];
  });
  // Each name keeps the request and response types of its handler.
  return Object.fromEntries(wrapped) as Running;
}

type Handle = (request: { readonly organizationId: string } | undefined) => unknown;

function inTurn(
  handle: Handle,
  { account, custody: needed, isLarge }: ServiceWork,
  { turns, large, custody }: WorkPorts,
): Handle {
  return (request) =>
    turns.run(
      accountOfService(account === 'organization' ? (request?.organizationId ?? '') : account),
      async () => {
        await (needed === 'changes' ? custody.checkChanges() : custody.check());
        return isLarge === true ? large.run(always, async () => handle(request)) : handle(request);
      },
    );
}

/** A custody check that always passes. */
const always = (): void => undefined;
