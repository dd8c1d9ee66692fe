// Reads the policy file with the witnesses of the log, and starts the requests to them.

import { textOfUtf8 } from '../../core/base/bytes.ts';
import { sha256 } from '../../core/crypto/hashes.ts';
import { readPolicy, type TrustPolicy } from '../../core/log/trust_policy.ts';
import type { EnclaveMessages } from '../../ipc/messages.ts';
import type { Link } from '../../ipc/rpc.ts';
import { UnusableDataError } from '../../store/unusable_data_error.ts';
import { monotonicClock } from '../base/clock.ts';
import { readBounded } from '../base/read_bounded.ts';
import type { Log } from '../observability/log.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { targetOf } from '../outbound/target_address.ts';
import { createWitnessed } from './witnessed.ts';
import { startWitnesses, type WitnessWorker } from './witnesses.ts';

const maximumPolicyBytes = 64 * 1024;
export const maximumWitnesses = 32;
/** Local addresses are allowed, because the operator configures the witnesses. */
const rules = { allowPrivateTargets: true };

export type WitnessPolicy = {
  readonly policy: TrustPolicy;
  /** The policy lines except `log`, for the policy that the service publishes. */
  readonly lines: string;
};

/** Reads the policy file. Raises UnusableDataError. */
export function readWitnessPolicy(file: string): WitnessPolicy {
  try {
    const text = textOfUtf8(readBounded(file, maximumPolicyBytes));
    if (text === undefined) throw new Error('it is not text');
    const policy = readPolicy(sha256, text);
    if (policy.witnesses.size > maximumWitnesses) throw new Error('it has more than 32 witnesses');
    for (const [name, { url }] of policy.witnesses) {
      const target = url === undefined ? { refusal: 'it has no URL' } : targetOf(url, rules);
      if ('refusal' in target) throw new Error(`witness ${name}: ${target.refusal}`);
    }
    const lines = text.split('\n').filter((line) => !/^\s*(log\s|#|$)/.test(line));
    return { policy, lines: `${lines.join('\n')}\n` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDataError(`the policy of witnesses ${file} cannot be used: ${reason}`);
  }
}

/** Returns the handler of requests for witnessed checkpoints, and a function that closes its connections. */
export function openWitnessed(
  { policy }: WitnessPolicy,
  { isRequired, log }: { readonly isRequired: boolean; readonly log: Log },
) {
  const outbound = createOutbound(rules);
  const { send, close } = outbound;
  const { now } = monotonicClock;
  return { witnessed: createWitnessed({ policy, isRequired, send, now, log }), close };
}

/** Starts to send checkpoints to the witnesses of a policy. Returns undefined without witnesses. */
export function startWitnessesOf(
  { policy }: WitnessPolicy,
  { enclave, log }: { readonly enclave: Pick<Link<EnclaveMessages>, 'call'>; readonly log: Log },
): WitnessWorker | undefined {
  if (policy.witnesses.size === 0) return undefined;
  const outbound = createOutbound(rules);
  const worker = startWitnesses({
    policy,
    checkpoint: async () => (await enclave.call('logCheckpoint', undefined)).note,
    consistency: async (from, to) => (await enclave.call('logConsistency', { from, to })).proof,
    cosigned: (note) => enclave.call('rememberCosigned', { note }),
    send: outbound.send,
    now: monotonicClock.now,
    after: monotonicClock.after,
    log,
  });
  return { stop: () => worker.stop().finally(() => outbound.close()) };
}
