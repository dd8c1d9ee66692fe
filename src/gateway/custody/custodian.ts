// An enclave that looks after one copy of the data, for as long as a command needs it: a process in the
// sandbox, with the root key, over the database of that copy.

import { wipe } from '../../core/base/bytes.ts';
import { fail } from '../../core/errors/errors.ts';
import { type ExternalMessages, externalMessages } from '../../ipc/external_messages.ts';
import type { Handlers } from '../../ipc/message_table.ts';
import type { EnclaveMessages, GatewayMessages } from '../../ipc/messages.ts';
import { enclaveMessages, gatewayMessages } from '../../ipc/messages.ts';
import { createLink, type Link } from '../../ipc/rpc.ts';
import type { StorePort } from '../../store/port.ts';
import { type EnclaveProcess, startEnclaveProcess } from '../enclave/process.ts';
import { storeHandlers } from '../enclave/store_handlers.ts';
import type { Log } from '../observability/log.ts';

export type Custodian = Pick<Link<EnclaveMessages>, 'call'>;

type AnchorHandlers = Pick<Handlers<GatewayMessages>, 'anchor' | 'setAnchor'>;

/** Handlers of a copy that is only read: nothing is stored. */
const noAnchorHandlers: AnchorHandlers = {
  anchor: () => ({ anchor: undefined }),
  setAnchor: () => ({ raised: true }),
};

/** Starts the process of an enclave; by default from the program's own files. */
export type LaunchEnclave = () => EnclaveProcess;

/** Runs with an enclave over a copy, and ends the enclave. Raises what the root key is not to be had for. */
export async function withCustodian<Result>(
  {
    readRootKey,
    store,
    log,
    anchor = noAnchorHandlers,
    launchEnclave = () => startEnclaveProcess({ log }),
  }: {
    /** Returns 32 bytes, which are wiped. */
    readonly readRootKey: () => Promise<Uint8Array>;
    readonly store: StorePort;
    readonly log: Log;
    readonly anchor?: AnchorHandlers;
    readonly launchEnclave?: LaunchEnclave | undefined;
  },
  run: (custodian: Custodian) => Promise<Result>,
): Promise<Result> {
  const rootKey = await readRootKey();
  const child = launchEnclave();
  try {
    const link = createLink<EnclaveMessages, GatewayMessages>({
      channel: child.channel,
      calls: enclaveMessages,
      serves: gatewayMessages,
      handlers: {
        ...storeHandlers(store, log),
        ...noWorld,
        ...anchor,
        logAnchor: () => ({ note: undefined }),
        witnessed: () => ({ checkpoints: [] }),
      },
      closedCode: 'enclave_unavailable',
      log,
    });
    const started = link.call('startCustody', { rootKey });
    wipe(rootKey);
    await started;
    return await run(link);
  } finally {
    wipe(rootKey);
    child.kill();
    await child.exited;
  }
}

/** Checking a copy needs no external services. */
const noWorld = Object.fromEntries(
  Object.keys(externalMessages).map((name) => [name, () => fail('enclave_unavailable')]),
) as unknown as Handlers<ExternalMessages>;
