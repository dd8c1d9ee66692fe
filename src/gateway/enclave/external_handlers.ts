// Handlers for the enclave's requests to external services.

import { assert, type ErrorCode, ServiceError } from '../../core/errors/errors.ts';
import type { EthereumFilled, ExternalServices } from '../../core/external/external_services.ts';
import type { OutgoingMessage } from '../../core/external/outgoing_message.ts';
import type { ExternalMessages } from '../../ipc/external_messages.ts';
import type { Handlers } from '../../ipc/message_table.ts';
import type { AnswerOf, RequestOf } from '../../ipc/messages.ts';

type Message = RequestOf<ExternalMessages['deliver']>['messages'][number];

/** Returns the handlers of external messages. */
export function externalHandlers(external: ExternalServices): Handlers<ExternalMessages> {
  return {
    issuerKeys: ({ issuer, keyId }) => keysOf(external, issuer, keyId),
    deliver: async ({ messages }) => {
      await external.deliver(messages.map(messageOf));
      return undefined;
    },
    fetch: async ({ url, method, headers, body }) => ({
      answer: await answered(
        'oauth2_provider_unavailable',
        external.fetch({
          url,
          method: method === 'POST' ? 'POST' : 'GET',
          headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
          body,
        }),
      ),
    }),
    refusedTarget: async ({ url }) => ({ reason: await external.refusedTarget(url) }),
    verifyCaptcha: async ({ token, remoteAddress }) => ({
      isSolved: await external.verifyCaptcha(token, remoteAddress),
    }),
    chainAmounts: async ({ caip2, address }) => {
      const asked = external.chainAmounts(caip2, address);
      const amounts = await answered('chain_node_unavailable', asked);
      return { amounts: amounts && [...amounts].map(([caip19, amount]) => ({ caip19, amount })) };
    },
    serviceHealth: async () => {
      const { answering, lastBackupAtMs } = await external.serviceHealth();
      return { answering: [...answering], lastBackupAtMs };
    },
    transactionCount: async ({ caip2, address }) => {
      const asked = external.transactionCount(caip2, address);
      return { count: await answered('chain_node_unavailable', asked) };
    },
    fetchEthereumFields: async ({ value, ...rest }) => {
      const asked = external.fetchEthereumFields({ ...rest, value: BigInt(value) });
      const { filled, refusal } = await filledOr(asked, ['data']);
      return { filled: filled && writtenFill(filled), refusal: refusal?.data };
    },
    fetchSponsoredFields: async ({ calls, ...rest }) => {
      const values = calls.map((call) => ({ ...call, value: BigInt(call.value) }));
      const asked = external.fetchSponsoredFields({ ...rest, calls: values });
      const { filled, refusal } = await filledOr(asked, ['to', 'data']);
      if (filled === undefined) return { filled, refusal };
      const { senderCode, stationCode, delegateCode } = filled;
      const usedBySender = String(filled.usedBySender);
      const stationNonce = String(filled.stationNonce);
      const codes = { senderCode, stationCode, delegateCode };
      return { filled: { ...writtenFill(filled), usedBySender, stationNonce, ...codes }, refusal };
    },
    fetchContractValues: async (asked) => {
      const fetched = external.fetchContractValues(asked);
      const values = await answered('chain_node_unavailable', fetched);
      const written = (value: bigint | undefined) => (value === undefined ? value : String(value));
      return { values: values?.map((value) => ({ value: written(value) })) };
    },
    fetchRewards: async (asked) => ({
      published: await answered('rewards_unavailable', external.fetchRewards(asked)),
    }),
    fetchSolanaFields: async (asked) => {
      const { filled, refusal } = await filledOr(external.fetchSolanaFields(asked), ['reason']);
      return { filled, refusal: refusal?.reason };
    },
    orderSignatures: async (order) => {
      try {
        const { heldBy, signatures } = await external.orderSignatures(order);
        return { heldBy, signatures: [...signatures], reason: '' };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const reason = String(error.details['reason'] ?? '');
        return { heldBy: '', signatures: undefined, reason };
      }
    },
  };
}

/** Returns the fetched fields, or the details of a refusal; neither if no node answered. */
async function filledOr<Filled, const Name extends string>(
  asked: Promise<Filled>,
  details: readonly Name[],
): Promise<{ filled: Filled | undefined; refusal: Record<Name, string> | undefined }> {
  try {
    return { filled: await answered('chain_node_unavailable', asked), refusal: undefined };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'transaction_would_revert') throw error;
    const shown = details.map((name) => [name, String(error.details[name] ?? '')]);
    return { filled: undefined, refusal: Object.fromEntries(shown) };
  }
}

function writtenFill({ used, baseFee, tip, gas }: EthereumFilled) {
  const written = gas === undefined ? undefined : String(gas);
  return { used: String(used), baseFee: String(baseFee), tip: String(tip), gas: written };
}

/** Returns an issuer without keys as an answer, because the link would drop the text of an error. */
async function keysOf(
  external: ExternalServices,
  issuer: string,
  keyId: string | undefined,
): Promise<AnswerOf<ExternalMessages['issuerKeys']>> {
  try {
    const keys = JSON.stringify(await external.issuerKeys(issuer, keyId));
    return { keys, isAccepted: true, reason: '' };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const isAccepted = error.code === 'oidc_issuer_unavailable';
    if (!isAccepted && error.code !== 'oidc_issuer_not_accepted') throw error;
    return { keys: undefined, isAccepted, reason: String(error.details['reason'] ?? '') };
  }
}

/** Returns the answer; undefined if it fails with this code. */
async function answered<Answer>(
  code: ErrorCode,
  answer: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServiceError && error.code === code) return undefined;
    throw error;
  }
}

function messageOf({ channel, to, text, account, ...rest }: Message): OutgoingMessage {
  const onAccount = account === undefined ? {} : { account };
  if (channel === 'sms') return { channel, to, text, ...onAccount };
  const { subject, html, senderName, from, replyTo, reference } = rest;
  assert(
    channel === 'email' && subject !== undefined && html !== undefined && senderName !== undefined,
    'a message is an e-mail or a text message',
  );
  return {
    channel,
    to,
    text,
    subject,
    html,
    senderName,
    ...onAccount,
    ...(from === undefined ? {} : { from }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(reference === undefined ? {} : { reference }),
  };
}
