// Reads the content of an activity from its signed bytes. The service adds only current values and names, the
// labels of descriptions, and the account of an address, whose format decides how a transaction is decoded.

import { readReportedMarket } from '../../../src/client/reported_market.ts';
import { readReportedNames } from '../../../src/client/reported_names.ts';
import type { VerifiedActivity } from '../../../src/client/verified_activity.ts';
import type { TransactionExplanation } from '../../../src/core/organization/records/transaction_explanation.ts';
import type { Descriptions } from '../../../src/core/transactions/described.ts';
import type { ExplainedTransaction } from '../../../src/core/transactions/explain_signed.ts';
import type { Reported } from '../../../src/core/transactions/headline/explain_request.ts';
import { reportedInterfaceWarnings } from '../../../src/core/transactions/headline/reported_warnings.ts';
import {
  createsInterface,
  isTransactionRequest,
  marketKindOf,
} from '../../../src/core/transactions/headline/request_types.ts';
import { t } from '../../messages/text.ts';
import { type Read, sharedRead, useRead } from '../service/queries.ts';
import { useSession } from '../session/context.ts';
import { readDescriptions } from './descriptions.ts';
import { type Change, changeOf, type Known } from './differences.ts';
import type { ReadPayloads } from './signed_payloads.ts';

export type SignedContent = {
  /** True if a key signs a transaction or payload; false for changes of the organization. */
  readonly isSignature: boolean;
  readonly explanation: TransactionExplanation | undefined;
  /** The transaction for the headline, with the address that signs it. */
  readonly transaction?: { readonly explained: ExplainedTransaction; readonly signer: string };
  /** The values of typed data and the long messages among the payloads. */
  readonly payloads?: ReadPayloads | undefined;
  /** Undefined if the page shows every member as signed. */
  readonly change?: Change | undefined;
  readonly signWith: string | undefined;
  readonly warnings: readonly string[];
  /** The error if the service shows other content than the submitter signed. */
  readonly mismatch: string | undefined;
};

/** Reads the signed bytes of a verified activity. */
export function useSignedContent(activity: VerifiedActivity): Read<SignedContent> {
  const { client } = useSession();
  return useRead(['signed', activity.id], async (signal) => {
    const { type, intent } = activity;
    const isTransaction = isTransactionRequest(type);
    const isRaw = type.startsWith('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD');
    const market =
      marketKindOf(type) === undefined
        ? undefined
        : await readReportedMarket(client, intent, { signal });
    const signWith = signWithOf(intent) ?? market?.quoteSigner;
    const altered = alteredMembers(activity);
    const mismatch =
      altered.length === 0 ? undefined : t('approvals.altered', { members: altered.join(', ') });
    const shared = { isSignature: isTransaction || isRaw, signWith, mismatch };
    if (isRaw) {
      const isTyped = intent['encoding'] === 'PAYLOAD_ENCODING_EIP712';
      const descriptions = isTyped
        ? await sharedRead('descriptions', () => readDescriptions(client))
        : undefined;
      const payloads = await payloadsOf(intent, signWith ?? '', descriptions);
      const explanation = payloads?.explanation;
      const warnings = explanation?.warnings.map(({ text }) => text);
      return {
        ...shared,
        explanation,
        payloads,
        ...(payloads?.chain !== undefined && {
          transaction: {
            explained: { ...payloads.explanation, chain: payloads.chain },
            signer: signWith ?? '',
          },
        }),
        warnings: warnings ?? [t('approvals.payloadUnreadable')],
      };
    }
    if (!isTransaction) {
      const change = changeOf(type, intent, await sharedRead('known', known));
      const warnings = [...(change?.warnings ?? []), ...(await interfaceWarnings(activity))];
      return { ...shared, explanation: undefined, change, warnings };
    }
    // The approvals of one signer share the read.
    const account =
      signWith === undefined
        ? undefined
        : await sharedRead(`account ${signWith}`, () => accountOf(signWith));
    const descriptions = await sharedRead('descriptions', () => readDescriptions(client));
    const explanation = await explained(activity, account, { descriptions, market });
    const warnings = explanation?.warnings.map(({ text }) => text);
    const transaction = explanation && {
      explained: explanation,
      signer: account?.address ?? signWith ?? '',
    };
    return {
      ...shared,
      explanation,
      ...(transaction && { transaction }),
      warnings: [
        ...(warnings ?? [t('approvals.unreadable')]),
        ...reportedInterfaceWarnings(activity.said).map((text) =>
          t('approvals.reportedInterface', { text }),
        ),
      ],
    };

    async function known(): Promise<Known> {
      const [{ policies }, { users }, { configs }, names] = await Promise.all([
        client.query('list_policies'),
        client.query('list_users'),
        client.query('get_organization_configs'),
        readReportedNames(client),
      ]);
      return { policies, users, names, quorum: configs.quorum };
    }

    async function accountOf(requested: string): Promise<Account | undefined> {
      const isWanted = (address: string | undefined) =>
        address === requested ||
        (requested.startsWith('0x') && address?.toLowerCase() === requested.toLowerCase());
      for await (const account of client.pages('list_wallet_accounts')) {
        if (isWanted(account.address)) return account;
      }
      const { privateKeys } = await client.query('list_private_keys');
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

/** Returns the address or the key id that signs, as the parameters name it. */
function signWithOf(intent: VerifiedActivity['intent']): string | undefined {
  const { signWith, privateKeyId, signWiths, from, walletAccount } = intent;
  const [first] = Array.isArray(signWiths) ? signWiths : [];
  const named = signWith ?? privateKeyId ?? first ?? from ?? walletAccount;
  return typeof named === 'string' ? named : undefined;
}

async function explained(
  { type, intent }: VerifiedActivity,
  account: Account | undefined,
  reported: Reported,
) {
  // The decoders of transactions need `Uint8Array.fromHex`.
  if (!('fromHex' in Uint8Array)) return undefined;
  const { explainRequest } = await import(
    '../../../src/core/transactions/headline/explain_request.ts'
  );
  const publicKey = account?.publicKey;
  return explainRequest(
    type,
    intent,
    account === undefined || publicKey === undefined ? undefined : { ...account, publicKey },
    reported,
  );
}

/** Returns the warnings about the interface that a request stores. */
async function interfaceWarnings({ type, intent }: VerifiedActivity): Promise<readonly string[]> {
  if (type !== createsInterface) return [];
  // The checksums of the reader need `Uint8Array.fromHex`.
  if (!('fromHex' in Uint8Array)) return [t('approvals.interfaceUnread')];
  const { interfaceRequestWarnings } = await import(
    '../../../src/core/transactions/headline/interface_request.ts'
  );
  return interfaceRequestWarnings(type, intent).map(({ text }) => text);
}

async function payloadsOf(
  { payload, payloads, encoding, hashFunction }: VerifiedActivity['intent'],
  signWith: string,
  descriptions: Descriptions | undefined,
): Promise<ReadPayloads | undefined> {
  // The decoders of payloads need `Uint8Array.fromHex`.
  if (!('fromHex' in Uint8Array)) return undefined;
  const { readPayloads } = await import('./signed_payloads.ts');
  const request = {
    signWith,
    payloads: (Array.isArray(payloads) ? payloads : [payload]).map(String),
    encoding: String(encoding),
    hashFunction: String(hashFunction),
  };
  return readPayloads(request, descriptions);
}

/** Returns the names of the members whose signed value differs from the value that the service shows. */
function alteredMembers({ intent, said }: VerifiedActivity): readonly string[] {
  const [shown] = Object.values(said.intent ?? {});
  if (typeof shown !== 'object' || shown === null) return ['intent'];
  const served = shown as Readonly<Record<string, unknown>>;
  return Object.keys(served).filter(
    (name) => Object.hasOwn(intent, name) && !isSame(intent[name], served[name]),
  );
}

/** Compares two values. The served value may have additional members (defaults) and strings for numbers. */
function isSame(signed: unknown, served: unknown): boolean {
  if (typeof signed !== 'object' || signed === null) return String(signed) === String(served);
  if (typeof served !== 'object' || served === null) return false;
  const members = served as Readonly<Record<string, unknown>>;
  return Object.entries(signed).every(([name, value]) => isSame(value, members[name]));
}
