// Signs deliveries of one endpoint in groups, ahead of their attempts.

import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { StoredDelivery } from '../../store/port.ts';

export type SignDeliveries = (
  request: RequestOf<EnclaveMessages['signDeliveries']>,
) => Promise<AnswerOf<EnclaveMessages['signDeliveries']>>;
export type SignedDelivery = AnswerOf<EnclaveMessages['signDeliveries']>[number];

const signedAtOnce = 8;
/** Maximum age of a signature, which contains the time of the attempt. */
const freshMs = 1_000;

type Batch = {
  /** Index of its first delivery. */
  readonly from: number;
  readonly signed: readonly SignedDelivery[];
  readonly atMs: number;
};

/**
 * Returns a function that returns signed deliveries by index, in ascending order. While one group is being
 * sent, the next group is signed.
 */
export function signAhead(
  deliveries: readonly StoredDelivery[],
  sign: SignDeliveries,
  now: () => number,
): (place: number) => Promise<SignedDelivery> {
  let batch: Batch | undefined;
  let following: Promise<Batch> | undefined;

  async function signFrom(from: number): Promise<Batch> {
    const some = deliveries.slice(from, from + signedAtOnce);
    const [{ endpointId, organizationId } = { endpointId: '', organizationId: '' }] = some;
    const signed = await sign({
      endpointId,
      organizationId,
      deliveries: some.map(({ eventId, sequence, body }) => ({ eventId, sequence, body })),
    });
    return { from, signed, atMs: now() };
  }

  function isFresh({ atMs }: Batch): boolean {
    return now() - atMs <= freshMs;
  }

  return async (place) => {
    const known = batch && isFresh(batch) ? batch.signed[place - batch.from] : undefined;
    if (known !== undefined) return known;
    const ahead = await following;
    following = undefined;
    const next = ahead?.from === place && isFresh(ahead) ? ahead : await signFrom(place);
    const [first] = next.signed;
    if (first === undefined) throw new Error('at least one delivery is signed');
    batch = next;
    const end = place + next.signed.length;
    if (end < deliveries.length) {
      following = signFrom(end);
      // The caller that requests that index receives the failure, if any caller does.
      following.catch(() => undefined);
    }
    return first;
  };
}
