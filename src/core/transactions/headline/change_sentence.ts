// Explains a change of the organization in one sentence, from the signed parameters. Names come from the
// service.

import { shownText } from '../text/shown_text.ts';
import type { Intent } from './request_types.ts';

/** Returns the name that the service reports for an id. */
export type NameOf = (id: string) => string | undefined;

/** Returns undefined for changes that have no sentence. */
export function changeSentence(type: string, intent: Intent, nameOf: NameOf): string | undefined {
  const kind = type.replace(/^ACTIVITY_TYPE_/, '').replace(/_V\d+$/, '');
  return Object.hasOwn(sentences, kind) ? sentences[kind]?.(intent, nameOf) : undefined;
}

type Sentence = (intent: Intent, nameOf: NameOf) => string;

const sentences: Readonly<Record<string, Sentence>> = {
  CREATE_FREEZE: ({ type, resourceId, reason }, nameOf) => {
    const because = typeof reason === 'string' ? ` Reason: ${reason}` : '';
    const row = Object.hasOwn(freezes, String(type)) ? freezes[String(type)] : undefined;
    if (row === undefined) return `Creates a freeze of an unknown type.${because}`;
    const [subject, stopped] = row;
    const named = resourceId === undefined ? '' : ` ${nameIn(resourceId, nameOf)}`;
    return `Freezes ${subject}${named}: stops ${stopped} until the root quorum lifts the freeze.${because}`;
  },
  DELETE_FREEZE: ({ freezeId }, nameOf) =>
    `Lifts the freeze of ${nameIn(freezeId, nameOf)}: signatures, exports and sends work again.`,
  CREATE_WALLET: ({ walletName, accounts }) =>
    `Creates the wallet ${String(walletName)} with ${counted(accounts, 'account')}.`,
  CREATE_WALLET_ACCOUNTS: ({ walletId, accounts }, nameOf) =>
    `Adds ${counted(accounts, 'account')} to the wallet ${nameIn(walletId, nameOf)}.`,
  EXPORT_WALLET: ({ walletId }, nameOf) =>
    `Exports the wallet ${nameIn(walletId, nameOf)}. The requester gets its recovery phrase, which moves everything in it.`,
  EXPORT_WALLET_ACCOUNT: ({ address }) =>
    `Exports the account ${String(address)}. The requester gets its private key, which moves everything in it.`,
  EXPORT_PRIVATE_KEY: ({ privateKeyId }, nameOf) =>
    `Exports the private key ${nameIn(privateKeyId, nameOf)}. The requester gets the key itself.`,
  DELETE_WALLETS: ({ walletIds }, nameOf) =>
    `Deletes the wallet ${namesIn(walletIds, nameOf)} with all accounts.`,
  DELETE_PRIVATE_KEYS: ({ privateKeyIds }, nameOf) =>
    `Deletes the private key ${namesIn(privateKeyIds, nameOf)}.`,
  CREATE_API_KEYS: ({ userId, apiKeys }, nameOf) =>
    `Adds ${counted(apiKeys, 'API key')} to the user ${nameIn(userId, nameOf)}.`,
  CREATE_AUTHENTICATORS: ({ userId, authenticators }, nameOf) =>
    `Adds ${counted(authenticators, 'passkey')} to the user ${nameIn(userId, nameOf)}.`,
  CREATE_WEBHOOK_ENDPOINT: ({ name, url }) =>
    `Creates the webhook endpoint ${String(name)}, which receives events at ${String(url)}.`,
  CREATE_SMART_CONTRACT_INTERFACE: ({ type, label, smartContractAddress }) => {
    const isDescription = type === 'SMART_CONTRACT_INTERFACE_TYPE_ERC7730';
    const [what, use] = isDescription
      ? ['description', 'by which approvals label calls of']
      : ['interface', 'whose names policies and approvals then use for calls of'];
    const contract = shownText(String(smartContractAddress), 100);
    return `Stores the ${what} ${shownText(String(label), 255)}, ${use} the contract ${contract}.`;
  },
};

/** The subject of each type of freeze, and what the freeze stops. */
const freezes: Readonly<Record<string, readonly [subject: string, stopped: string]>> = {
  FREEZE_TYPE_WALLET: ['the wallet', 'its signatures, exports and sends'],
  FREEZE_TYPE_PRIVATE_KEY: ['the private key', 'its signatures, exports and sends'],
  FREEZE_TYPE_USER: ['the user', 'every activity and vote of the user'],
  FREEZE_TYPE_ORGANIZATION: ['the organization', 'all its signatures, exports and sends'],
  FREEZE_TYPE_SUB_ORGANIZATION: ['the sub-organization', 'its signatures, exports and sends'],
  FREEZE_TYPE_DEPLOYMENT: [
    'the whole deployment',
    'the signatures, exports and sends of every organization',
  ],
};

const nameIn = (id: unknown, nameOf: NameOf): string => {
  const text = String(id);
  return nameOf(text.toLowerCase()) ?? text;
};

const namesIn = (ids: unknown, nameOf: NameOf): string =>
  listOf(ids)
    .map((id) => nameIn(id, nameOf))
    .join(', ');

function counted(values: unknown, what: string): string {
  const { length } = listOf(values);
  return `${length} ${what}${length === 1 ? '' : 's'}`;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
