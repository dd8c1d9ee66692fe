// The content of an activity in plain words, read from its signed bytes. Nothing comes from the service,
// except the account of an address: its format decides how a transaction is read.

import type { VerifiedActivity } from '../../../src/client/verified_activity.ts';
import type { TransactionExplanation } from '../../../src/core/organization/records/transaction_explanation.ts';
import { t } from '../../messages/text.ts';
import { type Read, useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';
import { type Change, changeOf, type Known } from './differences.ts';

export type SignedContent = {
  /** Something is signed with a key; else something of the organization changes. */
  readonly isSignature: boolean;
  readonly transaction: TransactionExplanation | undefined;
  /** The change, or the content of typed data; absent where every member is shown as it was signed. */
  readonly change?: Change | undefined;
  readonly signWith: string | undefined;
  readonly warnings: readonly string[];
  /** The service shows something else than what was signed. */
  readonly mismatch: string | undefined;
};

/** Reads the bytes that were signed. */
export function useSignedContent(activity: VerifiedActivity): Read<SignedContent> {
  const { client } = useSession();
  return useRead(['signed', activity.id], async (signal) => {
    const { type, intent } = activity;
    const isTransaction = type.startsWith('ACTIVITY_TYPE_SIGN_TRANSACTION');
    const isRaw = type.startsWith('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD');
    const named = intent['signWith'] ?? intent['privateKeyId'];
    const signWith = typeof named === 'string' ? named : undefined;
    const altered = alteredMembers(activity);
    const mismatch =
      altered.length === 0 ? undefined : t('approvals.altered', { members: altered.join(', ') });
    const shared = { isSignature: isTransaction || isRaw, signWith, mismatch };
    if (!isTransaction || signWith === undefined) {
      const change = isRaw
        ? await payloadsOf(intent, signWith ?? '')
        : changeOf(type, intent, await known());
      const warnings = isRaw && change === undefined ? rawWarnings(intent) : [];
      return {
        ...shared,
        transaction: undefined,
        change,
        warnings: [...warnings, ...(change?.warnings ?? [])],
      };
    }
    const transaction = await explained(activity, await accountOf(signWith));
    const warnings =
      transaction === undefined
        ? [t('approvals.unreadable')]
        : transaction.warnings.map(({ text }) => text);
    return { ...shared, transaction, warnings };

    async function known(): Promise<Known> {
      const options = { signal };
      const [{ policies }, { users }, { configs }] = await Promise.all([
        client.query('list_policies', {}, options),
        client.query('list_users', {}, options),
        client.query('get_organization_configs', {}, options),
      ]);
      return { policies, users, quorum: configs.quorum };
    }

    async function accountOf(requested: string): Promise<Account | undefined> {
      const isWanted = (address: string | undefined) =>
        address === requested ||
        (requested.startsWith('0x') && address?.toLowerCase() === requested.toLowerCase());
      for await (const account of client.pages('list_wallet_accounts', {}, { signal })) {
        if (isWanted(account.address)) return account;
      }
      const { privateKeys } = await client.query('list_private_keys', {}, { signal });
      for (const { addresses, publicKey } of privateKeys) {
        const found = addresses.find(({ address }) => isWanted(address));
        if (found?.address !== undefined && found.format !== undefined) {
          return { address: found.address, addressFormat: found.format, publicKey };
        }
      }
      return undefined;
    }
  });
}

type Account = {
  readonly address: string;
  readonly addressFormat: string;
  readonly publicKey?: string | undefined;
};

async function explained({ intent }: VerifiedActivity, account: Account | undefined) {
  // Engines that lack these cannot load the readers.
  if (account?.publicKey === undefined || !('fromHex' in Uint8Array)) return undefined;
  const { explainTransaction } = await import('../../../src/core/transactions/explain_signed.ts');
  return explainTransaction(String(intent['type']), String(intent['unsignedTransaction']), {
    ...account,
    publicKey: account.publicKey,
  });
}

/** Reads the content of payloads, where each is more than bytes. */
async function payloadsOf(
  { payload, payloads, encoding }: VerifiedActivity['intent'],
  account: string,
): Promise<Change | undefined> {
  const texts = Array.isArray(payloads) ? payloads : [payload];
  const all = await Promise.all(texts.map((text) => payloadOf(String(text), encoding, account)));
  const readable = all.filter((each) => each !== undefined);
  const [first] = readable;
  if (first === undefined || readable.length < texts.length || readable.length === 1) {
    return texts.length === 1 ? first : undefined;
  }
  return {
    sentence: t('several.sentence', { count: readable.length }),
    differences: readable.flatMap(({ sentence, differences }, i) => [
      { what: `${i + 1}.`, signed: sentence },
      ...differences.map(({ what, signed }) => ({ what: `${i + 1}. ${what}`, signed })),
    ]),
    warnings: [...new Set(readable.flatMap(({ warnings }) => warnings))],
  };
}

async function payloadOf(payload: string, encoding: unknown, account: string) {
  // Engines that lack this cannot load the readers.
  if (!('fromHex' in Uint8Array)) return undefined;
  switch (encoding) {
    case 'PAYLOAD_ENCODING_EIP712': {
      const { typedDataOf } = await import('./typed_data.ts');
      return typedDataOf(payload);
    }
    case 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION': {
      const { authorizationOf } = await import('./authorization.ts');
      return authorizationOf(payload, account);
    }
    default:
      return undefined;
  }
}

function rawWarnings(intent: VerifiedActivity['intent']): readonly string[] {
  return [
    intent['hashFunction'] === 'HASH_FUNCTION_NO_OP'
      ? t('approvals.hashOnly')
      : t('approvals.rawPayload'),
  ];
}

/** Members of the parameters that the service shows otherwise than they were signed. */
function alteredMembers({ intent, said }: VerifiedActivity): readonly string[] {
  const [shown] = Object.values(said.intent ?? {});
  if (typeof shown !== 'object' || shown === null) return ['intent'];
  const served = shown as Readonly<Record<string, unknown>>;
  return Object.keys(served).filter(
    (name) => Object.hasOwn(intent, name) && !isSame(intent[name], served[name]),
  );
}

/** True if both members mean the same: defaults may be added, numbers may be texts. */
function isSame(signed: unknown, served: unknown): boolean {
  if (typeof signed !== 'object' || signed === null) return String(signed) === String(served);
  if (typeof served !== 'object' || served === null) return false;
  const members = served as Readonly<Record<string, unknown>>;
  return Object.entries(signed).every(([name, value]) => isSame(value, members[name]));
}
