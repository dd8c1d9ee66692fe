// The bodies of webhook events, each signed for one attempt.

import { textOfUtf8, utf8 } from '../../core/base/bytes.ts';
import type { WebhookEventType } from '../../core/base/enums.ts';
import { assert } from '../../core/errors/errors.ts';
import type { Deployment } from '../../core/external/external_services.ts';
import type { WebhookEndpoint } from '../../core/organization/records/webhooks.ts';
import type { OrganizationState } from '../../core/organization/state.ts';
import { chatNotice } from '../../core/webhooks/chat_notice.ts';
import {
  deliveryHeaders,
  featureHeaders,
  keySetView,
  signedMessage,
} from '../../core/webhooks/delivery.ts';
import { isPulled } from '../../core/webhooks/endpoints.ts';
import { featureEndpointOf } from '../../core/webhooks/feature_endpoint.ts';
import { type KeyTimes, keyTimesAt } from '../../core/webhooks/signing_keys.ts';
import type { AnswerOf, EnclaveMessages, RequestOf } from '../../ipc/messages.ts';
import type { EventToSign, SignEvent } from '../../operations/services.ts';
import type { StoredEvent, StorePort } from '../../store/port.ts';
import type { WebhookKeys } from '../keys/webhook_keys.ts';
import { requiredState } from '../records/change_writer.ts';
import { createEventReader, type EventReader } from '../records/event_reader.ts';
import type { SealedEvent } from '../records/event_writer.ts';
import { type RecordCodec, RecordRefusedError } from '../records/record_codec.ts';
import type { Voters } from '../records/voters.ts';

/**
 * The next step of a delivery: `signed`: send it (deliveries to a feature's URL are unsigned). `paused`:
 * wait, because its endpoint or subscription is inactive. `gone`: drop it, because its endpoint was deleted.
 * `pulled`: its endpoint fetches it. `refused`: give up, because its row was altered.
 */
const signOutcomes = ['signed', 'paused', 'gone', 'pulled', 'refused'] as const;
type SignOutcome = (typeof signOutcomes)[number];

type SignRequest = RequestOf<EnclaveMessages['signDeliveries']>;
type Signed = AnswerOf<EnclaveMessages['signDeliveries']>[number];

/** Maximum deliveries in one request. */
const maximumDeliveries = 16;
/** Maximum bytes of bodies in one answer; a longer body gets its own answer. */
const maximumAnswerBytes = 4 * 1024 * 1024;

type Deliveries = {
  /** Returns the signed headers of an event for an attempt at a time. */
  signEvent: SignEvent;
  /** Signs the first deliveries, at least one. */
  sign(request: SignRequest): Promise<readonly Signed[]>;
  /** Returns the published key set as JSON. */
  keySet(): Promise<Uint8Array>;
};

/** Maximum age of the key times. */
const keyTimesLifeMs = 1_000;

export function createDeliveries(ports: {
  store: StorePort;
  codec: RecordCodec;
  voters: Pick<Voters, 'complete'>;
  keys: WebhookKeys;
  organization: (id: string) => Promise<{ state: OrganizationState | undefined }>;
  /** Returns the ID of the deployment's first organization. Raises `deployment_missing`. */
  firstOrganizationId: () => Promise<string>;
  clock: () => number;
  /** Provides the public address for links in notices. */
  deployment: Pick<Deployment, 'compatibleWebhooks' | 'publicUrl'>;
  /** Called for an altered row. */
  refusedRow: (error: RecordRefusedError) => void;
}): Deliveries {
  const { keys, organization, firstOrganizationId, clock, deployment } = ports;
  const reader = createEventReader(ports);
  let founder: string | undefined;
  let known: { readonly atMs: number; readonly times: KeyTimes } | undefined;

  /**
   * Returns the rotations, which are rows of the deployment's first organization. Without them, a withdrawn
   * key would sign again.
   */
  async function rotations() {
    founder ??= await firstOrganizationId();
    return (await requiredState(organization, founder)).records.webhook_key.values();
  }

  async function keyTimes(): Promise<KeyTimes> {
    const now = clock();
    if (known === undefined || now < known.atMs || now - known.atMs >= keyTimesLifeMs) {
      known = { atMs: now, times: keyTimesAt(await rotations(), now) };
    }
    return known.times;
  }

  async function signEvent(
    { eventId, eventType, organizationId, sequence, body }: EventToSign,
    timestampMs: number,
  ): ReturnType<SignEvent> {
    const { signing } = await keyTimes();
    const words = { keyId: keys.keyId(signing), timestampMs, eventId };
    const signature = keys.sign(signing, signedMessage(words, body));
    const said = { ...words, organizationId, eventType, sequence, signature };
    return deliveryHeaders(said, deployment.compatibleWebhooks);
  }

  const begin = createBeginnings({ ...ports, reader, signEvent });
  return {
    signEvent,
    sign: async ({ endpointId, organizationId, deliveries }) => {
      assert(deliveries.length <= maximumDeliveries, 'few deliveries are signed at once');
      const { state } = await organization(organizationId);
      const receiver = state && receiverOf(state, endpointId);
      if (receiver === undefined) return deliveries.map(() => without('gone'));
      if (isPulled(receiver.endpoint)) return deliveries.map(() => without('pulled'));
      if (!receiver.endpoint.isActive) return deliveries.map(() => without('paused'));
      const begun = deliveries.map((delivery) =>
        begin(receiver, { endpointId, organizationId, ...delivery }),
      );
      const signed: Signed[] = [];
      let length = 0;
      for (const sign of begun) {
        const next = await sign();
        length += next.body.length;
        if (signed.length > 0 && length > maximumAnswerBytes) break;
        signed.push(next);
      }
      return signed;
    },
    keySet: async () => {
      const { published } = await keyTimes();
      const publicKeys = published.map((epoch) => keys.publicKey(epoch));
      return utf8(JSON.stringify(keySetView(publicKeys, deployment.compatibleWebhooks)));
    },
  };
}

/** Creates a function that starts to read a delivery's body; its result signs the body. */
function createBeginnings({
  reader,
  signEvent,
  clock,
  deployment: { publicUrl },
  refusedRow,
}: {
  readonly deployment: Pick<Deployment, 'publicUrl'>;
  readonly reader: EventReader;
  readonly signEvent: SignEvent;
  readonly clock: () => number;
  readonly refusedRow: (error: RecordRefusedError) => void;
}) {
  const refused = (error: unknown): Signed => {
    if (!(error instanceof RecordRefusedError)) throw error;
    refusedRow(error);
    return without('refused');
  };
  const inFormat = (
    body: Uint8Array,
    type: WebhookEventType,
    { bodyFormat = 'WEBHOOK_FORMAT_EVENT' }: WebhookEndpoint,
  ): Uint8Array => {
    if (bodyFormat === 'WEBHOOK_FORMAT_EVENT') return body;
    return chatNotice(bodyFormat, { type, body: textOfUtf8(body) ?? '' }, publicUrl);
  };
  return (
    { endpoint, isOfFeature }: Receiver,
    stored: Omit<StoredEvent, 'createdAtMs'> & { readonly sequence: number },
  ): (() => Promise<Signed>) => {
    let event: SealedEvent;
    try {
      event = reader.open(stored);
    } catch (error) {
      const answer = refused(error);
      return async () => answer;
    }
    const { type: eventType, organizationId } = event;
    const { eventId, sequence } = stored;
    const bodyOf = reader.beginBody(event);
    const sign = async (): Promise<Signed> => {
      const body = inFormat(await bodyOf(), eventType, endpoint);
      const headers = isOfFeature
        ? featureHeaders
        : await signEvent({ eventId, eventType, organizationId, sequence, body }, clock());
      return { outcome: 'signed', url: endpoint.url, headers: [...headers], body };
    };
    return () => sign().catch(refused);
  };
}

type Receiver = { readonly endpoint: WebhookEndpoint; readonly isOfFeature: boolean };

function receiverOf(state: OrganizationState, endpointId: string): Receiver | undefined {
  const endpoint = state.records.webhook_endpoint.get(endpointId);
  if (endpoint !== undefined) return { endpoint, isOfFeature: false };
  const ofFeature = featureEndpointOf(state);
  return ofFeature?.id === endpointId ? { endpoint: ofFeature, isOfFeature: true } : undefined;
}

function without(outcome: SignOutcome): Signed {
  return { outcome, url: '', headers: [], body: new Uint8Array(0) };
}
