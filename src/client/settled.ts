// Waits until an activity is decided.

import type { Activity } from './generated/operations.ts';
import { held, pausesOf } from './holding.ts';
import { activityOf, doneOf, type Outcome, outcomeOf, rowsOf } from './outcome.ts';
import type { CallOptions, Requests } from './requests.ts';
import type { World } from './transport.ts';

/**
 * Returns the outcome of a waiting activity; `result` names its result if known. Polls with one stamped
 * request for each status, because a stamp may need a passkey. Throws the reason of an aborted signal.
 */
export async function untilDecided<Result>(
  { id, fingerprint, organizationId, status }: Activity,
  result: string | undefined,
  requests: Pick<Requests, 'queryRequest' | 'answerTo'>,
  world: World,
  { signal }: CallOptions = {},
): Promise<Outcome<Result>> {
  const sent = await requests.queryRequest('list_activities', {
    organizationId,
    known: [{ activityId: id, status }],
    // The largest id, so that the page contains only the known activities.
    paginationOptions: { limit: '1', before: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
  });
  const pauses = pausesOf(world, signal);
  for (;;) {
    const answer = await requests.answerTo(held(sent), { signal });
    const [changed] = rowsOf(answer.body, 'activities');
    if (changed === undefined) await pauses.next(answer.isHeld);
    else {
      const activity = activityOf(changed, { id, fingerprint }, answer.requestId);
      const again = (options?: CallOptions) =>
        untilDecided<Result>(activity, result, requests, world, options);
      const outcome = outcomeOf<Result>(activity, answer, result, async (options) =>
        doneOf(await again(options)),
      );
      return outcome.outcome === 'waiting' ? await again({ signal }) : outcome;
    }
  }
}
