// The work of messages that no client sent: its turn of the thread, and the check of custody before it.

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

export type WorkPorts = {
  readonly turns: FairTurns;
  readonly large: {
    run<Answer>(check: () => void, read: () => Promise<Answer>): Promise<Answer>;
  };
  readonly custody: { check(): Promise<void>; checkChanges(): Promise<void> };
};

/** Returns the handlers; each of a message with `work` runs as its row of the table says. */
export function workInTurn(handlers: Running, ports: WorkPorts): Running {
  const rows = new Map<string, { readonly phase: Phase; readonly work?: ServiceWork }>(
    Object.entries(enclaveMessages),
  );
  const wrapped = Object.entries(handlers).map(([name, handle]) => {
    const work = rows.get(name)?.work;
    return [name, work === undefined ? handle : inTurn(handle as Handle, work, ports)];
  });
  // Every name keeps the request and the answer of its handler.
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

/** A check that always passes. */
const always = (): void => undefined;
