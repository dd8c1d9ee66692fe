// Runs an enclave for one replica of the data while a command needs it: a sandboxed process with the root
// key, over the database of that replica.

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

/** Handlers for a read-only replica; they store nothing. */
const noAnchorHandlers: AnchorHandlers = {
  anchor: () => ({ anchor: undefined }),
  setAnchor: () => ({ raised: true }),
};

/** Starts the process of an enclave. Default: from the program's own files. */
export type LaunchEnclave = () => EnclaveProcess;

/** Runs a function with an enclave over a replica. Raises the errors of the root key provider. */
export async function withCustodian<Result>(
  {
    readRootKey,
    store,
    log,
    anchor = noAnchorHandlers,
    launchEnclave = () => startEnclaveProcess({ log }),
  }: {
    /** Returns 32 bytes. The receiver wipes them. */
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

/** Checking a replica needs no external services. */
const noWorld = Object.fromEntries(
  Object.keys(externalMessages).map((name) => [name, () => fail('enclave_unavailable')]),
) as unknown as Handlers<ExternalMessages>;
