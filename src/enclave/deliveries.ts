// What leaves for webhook endpoints: the body of an event, signed for one attempt.

import { activityView, isOpen } from '../core/activity/activity.ts';
import { textOfUtf8, utf8 } from '../core/bytes.ts';
import { assert } from '../core/errors.ts';
import type { ActivitySnapshot } from '../core/model.ts';
import type { OrganizationState } from '../core/organization.ts';
import { deliveryHeaders, keySetView, signedMessage } from '../core/webhooks/delivery.ts';
import { type KeyTimes, keyTimesAt } from '../core/webhooks/signing_keys.ts';
import type { StoredEvent, StorePort } from '../store/port.ts';
import { deploymentPlace } from './bootstrap.ts';
import { activityEventId, eventPlace, type SealedEvent } from './events.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from './protocol.ts';
import { openJson, type RecordCodec, RecordRefusedError, refused } from './record_codec.ts';
import { sealMark } from './sealing.ts';
import type { WebhookKeys } from './webhook_keys.ts';

/**
 * What is to be done about a delivery: send it (`signed`); wait, since its endpoint or subscription is
 * inactive (`paused`); drop it, since there is no such endpoint any more (`gone`); give it up, since
 * its row is not what was sealed (`refused`).
 */
export const signOutcomes = ['signed', 'paused', 'gone', 'refused'] as const;
export type SignOutcome = (typeof signOutcomes)[number];

type SignRequest = RequestOf<EnclaveMessages['signDelivery']>;
type Signed = AnswerOf<EnclaveMessages['signDelivery']>;

export type Deliveries = {
  sign(request: SignRequest): Promise<Signed>;
  /** The key set that is published, as JSON. */
  keySet(): Promise<Uint8Array>;
};

/** What an event says, and the body in which it says it. */
export type OpenedEvent = { readonly event: SealedEvent; readonly body: Uint8Array };

/** So long the times of the keys are not asked for again. */
const keyTimesLifeMs = 1_000;

/** Opens the event of an endpoint. Raises `record_refused` where anything is not what was sealed. */
export function createEventReader({
  store,
  codec,
}: {
  store: Pick<StorePort, 'activity' | 'records'>;
  codec: RecordCodec;
}): {
  open(stored: Omit<StoredEvent, 'createdAtMs'>): SealedEvent;
  bodyOf(event: SealedEvent): Promise<Uint8Array>;
} {
  async function activityOf(
    organizationId: string,
    activity: NonNullable<SealedEvent['activity']>,
  ) {
    const { id, version, mark } = activity;
    if (mark === undefined) {
      const kind = 'activity_snapshot';
      const eventId = activityEventId({ id, version });
      const rows = await store.records({ organizationId, kind, ids: [eventId] });
      const row = rows.find((each) => each.id === eventId && each.kind === kind);
      if (row === undefined) return refused({ organizationId, kind, id: eventId, version });
      return (codec.openRecord(organizationId, row) as ActivitySnapshot).activity;
    }
    const row = await store.activity({ organizationId, id });
    if (row === undefined || row.id !== id || sealMark(row.body) !== mark) {
      return refused({ organizationId, kind: 'activity', id, version });
    }
    return codec.openActivity(organizationId, row);
  }

  return {
    open: (stored) => openJson<SealedEvent>(codec.sealing, eventPlace(stored), stored.body),
    bodyOf: async ({ organizationId, activity, body }) => {
      if (activity === undefined) return utf8(body ?? '');
      const found = await activityOf(organizationId, activity);
      // Nobody in particular looks at it: what can still be voted on is said to be so.
      const canVote = isOpen(found);
      const viewer = { canApprove: canVote, canReject: canVote, timestampObjects: true };
      return utf8(JSON.stringify(activityView(found, viewer)));
    },
  };
}

export function createDeliveries(ports: {
  store: StorePort;
  codec: RecordCodec;
  keys: WebhookKeys;
  organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
  clock: () => number;
  compatible: boolean;
  /** Told of a row that is not what was sealed. */
  refusedRow: (error: RecordRefusedError) => void;
}): Deliveries {
  const { store, codec, keys, organization, clock, compatible } = ports;
  const reader = createEventReader(ports);
  let founder: string | undefined;
  let known: { readonly atMs: number; readonly times: KeyTimes } | undefined;

  /** Rotations are rows of the first organization of the deployment. */
  async function rotations() {
    founder ??= await founderId();
    const { state } = founder === undefined ? { state: undefined } : await organization(founder);
    return state?.records.webhook_key.values() ?? [];
  }

  async function founderId(): Promise<string | undefined> {
    const sealed = await store.deployment();
    if (sealed === undefined) return undefined;
    const opened = codec.sealing.open(deploymentPlace, sealed);
    const text = opened === undefined ? undefined : textOfUtf8(opened);
    assert(text !== undefined, 'the record of the deployment opens: it was read at the start');
    return (JSON.parse(text) as { readonly organizationId: string }).organizationId;
  }

  async function keyTimes(): Promise<KeyTimes> {
    const now = clock();
    if (known === undefined || now < known.atMs || now - known.atMs >= keyTimesLifeMs) {
      known = { atMs: now, times: keyTimesAt(await rotations(), now) };
    }
    return known.times;
  }

  async function sign(request: SignRequest): Promise<Signed> {
    const { endpointId, organizationId, eventId, sequence } = request;
    const { state } = await organization(organizationId);
    const endpoint = state?.records.webhook_endpoint.get(endpointId);
    if (endpoint === undefined) return without('gone');
    if (!endpoint.isActive) return without('paused');
    const event = reader.open(request);
    const body = await reader.bodyOf(event);
    const { signing } = await keyTimes();
    const words = { keyId: keys.keyId(signing), timestampMs: clock(), eventId };
    const signature = keys.sign(signing, signedMessage(words, body));
    const { type: eventType } = event;
    const said = { ...words, organizationId: event.organizationId, eventType, sequence, signature };
    const headers = [...deliveryHeaders(said, compatible)];
    return { outcome: 'signed', url: endpoint.url, headers, body };
  }

  return {
    sign: async (request) => {
      try {
        return await sign(request);
      } catch (error) {
        if (!(error instanceof RecordRefusedError)) throw error;
        ports.refusedRow(error);
        return without('refused');
      }
    },
    keySet: async () => {
      const { published } = await keyTimes();
      const publicKeys = published.map((epoch) => keys.publicKey(epoch));
      return utf8(JSON.stringify(keySetView(publicKeys, compatible)));
    },
  };
}

function without(outcome: SignOutcome): Signed {
  return { outcome, url: '', headers: [], body: new Uint8Array(0) };
}
