import { shownIssuer } from '../../core/auth/shown_issuer.ts';
import { fail } from '../../core/errors/errors.ts';
import type { ExternalServices } from '../../core/external/external_services.ts';
import type { OutgoingMessage } from '../../core/external/outgoing_message.ts';
import type { Json } from '../../core/schema/json.ts';
import { revertOf } from '../../core/sends/revert.ts';
import type { GatewayMessages, RequestOf } from '../../ipc/messages.ts';
import type { Link } from '../../ipc/rpc.ts';

type Message = RequestOf<GatewayMessages['deliver']>['messages'][number];

/** Returns the external services of the enclave; each call is a message to the gateway. */
export function externalServicesOverLink(
  link: Pick<Link<GatewayMessages>, 'call'>,
): ExternalServices {
  return {
    issuerKeys: async (issuer, keyId) => {
      const { keys, isAccepted, reason } = await link.call('issuerKeys', { issuer, keyId });
      if (keys !== undefined) return JSON.parse(keys) as Json;
      const shown = shownIssuer(issuer);
      return isAccepted
        ? fail('oidc_issuer_unavailable', { issuer: shown, reason })
        : fail('oidc_issuer_not_accepted', { issuer: shown });
    },
    deliver: async (messages) => {
      await link.call('deliver', { messages: messages.map(asMessage) });
    },
    fetch: async ({ url, method, headers, body }) => {
      const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
      const { answer } = await link.call('fetch', { url, method, headers: list, body });
      return answer ?? fail('oauth2_provider_unavailable');
    },
    refusedTarget: async (url) => (await link.call('refusedTarget', { url })).reason,
    verifyCaptcha: async (token, remoteAddress) => {
      return (await link.call('verifyCaptcha', { token, remoteAddress })).isSolved;
    },
    chainAmounts: async (caip2, address) => {
      const { amounts } = await link.call('chainAmounts', { caip2, address });
      if (amounts === undefined) fail('chain_node_unavailable', { caip2 });
      return new Map(amounts.map(({ caip19, amount }) => [caip19, amount]));
    },
    serviceHealth: async () => {
      const { answering, lastBackupAtMs } = await link.call('serviceHealth', undefined);
      return { answering: new Set(answering), lastBackupAtMs };
    },
    transactionCount: async (caip2, address) => {
      const { count } = await link.call('transactionCount', { caip2, address });
      return count ?? fail('chain_node_unavailable', { caip2 });
    },
    fetchEthereumFields: async ({ value, ...asked }) => {
      const { caip2, to } = asked;
      const request = { ...asked, value: String(value) };
      const { filled, refusal } = await link.call('fetchEthereumFields', request);
      if (refusal !== undefined) {
        fail('transaction_would_revert', { reason: revertOf(to, refusal).displayMessage });
      }
      return filled === undefined ? fail('chain_node_unavailable', { caip2 }) : feesOf(filled);
    },
    fetchSponsoredFields: async ({ calls, station: { address, delegate }, ...asked }) => {
      const written = calls.map((call) => ({ ...call, value: String(call.value) }));
      const request = { ...asked, station: { address, delegate }, calls: written };
      const { filled, refusal } = await link.call('fetchSponsoredFields', request);
      if (refusal !== undefined) {
        const reason = revertOf(refusal.to, refusal.data).displayMessage;
        fail('transaction_would_revert', { reason });
      }
      if (filled === undefined) return fail('chain_node_unavailable', { caip2: asked.caip2 });
      const usedBySender = BigInt(filled.usedBySender);
      const stationNonce = BigInt(filled.stationNonce);
      return { ...filled, ...feesOf(filled), usedBySender, stationNonce };
    },
    fetchContractValues: async ({ caip2, calls }) => {
      const { values } = await link.call('fetchContractValues', { caip2, calls: [...calls] });
      if (values?.length !== calls.length) return fail('chain_node_unavailable', { caip2 });
      return values.map(({ value }) => (value === undefined ? undefined : BigInt(value)));
    },
    fetchRewards: async (asked) => {
      const { published } = await link.call('fetchRewards', asked);
      return published ?? fail('rewards_unavailable', { caip2: asked.caip2 });
    },
    fetchSolanaFields: async (asked) => {
      const { filled, refusal } = await link.call('fetchSolanaFields', asked);
      if (refusal !== undefined) fail('transaction_would_revert', { reason: shownReason(refusal) });
      return filled ?? fail('chain_node_unavailable', { caip2: asked.caip2 });
    },
    orderSignatures: async (order) => {
      const { heldBy, signatures, reason } = await link.call('orderSignatures', order);
      return signatures === undefined
        ? fail('external_signer_unavailable', { reason: shownReason(reason) })
        : { heldBy, signatures };
    },
  };
}

function feesOf(filled: {
  readonly used: string;
  readonly baseFee: string;
  readonly tip: string;
  readonly gas: string | undefined;
}) {
  return {
    used: BigInt(filled.used),
    baseFee: BigInt(filled.baseFee),
    tip: BigInt(filled.tip),
    gas: filled.gas === undefined ? undefined : BigInt(filled.gas),
  };
}

/** Returns a reason from an external program, restricted to printable ASCII. */
const shownReason = (text: string): string => text.replace(/[^ -~]/g, '?').slice(0, 512);

function asMessage(message: OutgoingMessage): Message {
  const { channel, to, text, account } = message;
  const none = {
    account,
    subject: undefined,
    html: undefined,
    from: undefined,
    senderName: undefined,
    replyTo: undefined,
    reference: undefined,
  };
  return channel === 'sms' ? { channel, to, text, ...none } : { ...none, ...message };
}
