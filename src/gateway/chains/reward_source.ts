// Fetches the rewards of an address from the service that publishes them with Merkle proofs.

import type { Chain } from '../../core/balances/chains.ts';
import { textOfUtf8 } from '../../core/base/bytes.ts';
import { fail } from '../../core/errors/errors.ts';
import type { ExternalServices } from '../../core/external/external_services.ts';
import type { Log } from '../observability/log.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { type WaitWatch, waitingSend } from '../outbound/waiting_send.ts';
import { tracedSend } from '../traces/traced_outbound.ts';
import type { Tracing } from '../traces/tracing.ts';

const limits = { timeoutMs: 10_000, maximumBytes: 512 * 1024 };

export function createRewardSource(of: {
  readonly chains: readonly Chain[];
  readonly log: Log;
  readonly outbound: Pick<Outbound, 'send'>;
  readonly tracing: Tracing;
  readonly watch: WaitWatch;
}): ExternalServices['fetchRewards'] {
  const { chains, log, outbound, tracing, watch } = of;
  const send = tracedSend(waitingSend(outbound.send, watch), tracing, 'reward_source');
  return async ({ caip2, address }) => {
    const source = chains.find((chain) => chain.caip2 === caip2)?.rewards?.source;
    if (source === undefined) return fail('rewards_unavailable', { caip2 });
    const url = `${source}/v4/users/${address}/rewards?chainId=${caip2.slice('eip155:'.length)}`;
    const headers = { accept: 'application/json' };
    const answer = await send({ url, method: 'GET', headers, ...limits });
    const published =
      'failure' in answer || answer.status !== 200 ? undefined : textOfUtf8(answer.body);
    if (published !== undefined) return published;
    const detail = 'failure' in answer ? answer.failure : `status ${answer.status}`;
    log('warn', 'the source of rewards did not answer', { chain: caip2, detail });
    return fail('rewards_unavailable', { caip2 });
  };
}
