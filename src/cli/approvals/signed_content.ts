// Describes an activity before a vote. The lines are computed from the signed bytes with the parsers that
// policies use, and mark values that only the service reports.

import type { VerifiedActivity } from '../../client/verified_activity.ts';
import { activityTitle } from '../../core/activity/activity_title.ts';
import type { Descriptions } from '../../core/transactions/described.ts';
import type { KnownAddresses } from '../../core/transactions/headline/headline.ts';
import type { ReportedMarket } from '../../core/transactions/headline/market_terms.ts';
import { reportedInterfaceWarnings } from '../../core/transactions/headline/reported_warnings.ts';
import {
  createsInterface,
  isTransactionRequest,
  marketKindOf,
} from '../../core/transactions/headline/request_types.ts';
import { isSameAddress } from '../accounts/wallet_accounts.ts';
import { visible } from '../output/output.ts';
import { timeText } from '../words/times.ts';

/** Returns the account of a signer as the service reports it; undefined if it reports none. */
export type AccountOf = (
  signWith: string,
) => Promise<
  | { readonly address: string; readonly addressFormat: string; readonly publicKey: string }
  | undefined
>;

/** Returns names of addresses and earlier payments, as the service reports them. */
type KnownOf = () => Promise<KnownAddresses | undefined>;

type ContentSources = {
  readonly accountOf: AccountOf;
  readonly knownOf?: KnownOf | undefined;
  /** Returns the descriptions (ERC-7730) that the service reports. */
  readonly descriptionsOf?: (() => Promise<Descriptions | undefined>) | undefined;
  /** Returns the names of users, wallets, private keys and freezes by id, as the service reports them. */
  readonly namesOf?: (() => Promise<ReadonlyMap<string, string> | undefined>) | undefined;
  /** Returns lines about the approvals of the activity, as the service reports them. */
  readonly progressOf?: (() => Promise<readonly string[]>) | undefined;
  /** Returns the vaults or the account of the quote that the parameters name, as the service reports them. */
  readonly marketOf?: ((intent: Intent) => Promise<ReportedMarket>) | undefined;
};

type Intent = VerifiedActivity['intent'];

const noteOf = (descriptions: Descriptions | undefined): readonly string[] =>
  descriptions === undefined
    ? []
    : ['  Labels of descriptions come from the service: compare the sha256 with your own copy.'];

const maximumContentLines = 200;

/** Returns the lines for one activity. All external text passes through `visible`. */
export async function signedContent(
  activity: VerifiedActivity,
  sources: ContentSources,
): Promise<readonly string[]> {
  const { groupedFingerprint, spokenFingerprint } = await import(
    '../../core/derivation/spoken_fingerprint.ts'
  );
  const { type, fingerprint, timestampMs, submitter, said, id } = activity;
  // The service may list the votes in any order, so find the vote of the verified submitter.
  const signed = said.votes.find(({ userId }) => userId === submitter.userId);
  const who = `${signed?.user.userName ?? ''} (user ${submitter.userId})`;
  return [
    `${visible(activityTitle(type))} requested by ${visible(who)}`,
    ...((await sources.progressOf?.()) ?? []),
    `  activity         ${id}`,
    `  requested        ${timeText({ seconds: timestampMs / 1000 })}`,
    `  key              ${visible(submitter.publicKey)} (signature verified)`,
    `  comparison code  ${groupedFingerprint(fingerprint)}`,
    `  in words         ${spokenFingerprint(fingerprint)}`,
    ...(await contentLines(activity, sources)),
  ];
}

async function contentLines(
  { type, intent, said }: VerifiedActivity,
  sources: ContentSources,
): Promise<readonly string[]> {
  if (isTransactionRequest(type)) {
    const lines = await transactionLines({ type, intent }, sources);
    const reported = reportedInterfaceWarnings(said).map(
      (text) => `  warning: the service reports about a stored interface: ${visible(text)}`,
    );
    return ['What will be signed:', ...lines, ...reported];
  }
  if (type.startsWith('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD')) {
    const { payloadLines } = await import('./signed_payload.ts');
    const isTyped = intent['encoding'] === 'PAYLOAD_ENCODING_EIP712';
    const descriptions = isTyped ? await sources.descriptionsOf?.() : undefined;
    const lines =
      payloadLines(intent, descriptions, isTyped ? await sources.knownOf?.() : undefined) ??
      unreadableLines(intent);
    return ['What will be signed:', ...lines, ...noteOf(descriptions)];
  }
  const { changeSentence } = await import('../../core/transactions/headline/change_sentence.ts');
  const names = await sources.namesOf?.();
  const sentence = changeSentence(type, intent, (id) => names?.get(id));
  return [
    'What will change:',
    ...(sentence === undefined ? [] : [`  ${visible(sentence)}`]),
    ...memberLines(intent),
    ...(await interfaceLines(type, intent)),
  ];
}

/** Returns the warnings about the interface that a request stores. */
async function interfaceLines(type: string, intent: Intent): Promise<readonly string[]> {
  if (type !== createsInterface) return [];
  if (!('fromHex' in Uint8Array))
    return ['  warning: the interface is not read here; reading needs Node 26 or later.'];
  const { interfaceRequestWarnings } = await import(
    '../../core/transactions/headline/interface_request.ts'
  );
  return interfaceRequestWarnings(type, intent).map(({ text }) => `  warning: ${visible(text)}`);
}

const unreadableLines = (intent: VerifiedActivity['intent']): readonly string[] => [
  ...memberLines(intent),
  '  warning: This payload cannot be read here.',
];

async function transactionLines(
  { type, intent }: Pick<VerifiedActivity, 'type' | 'intent'>,
  { accountOf, knownOf, descriptionsOf, marketOf }: ContentSources,
): Promise<readonly string[]> {
  if (!('fromHex' in Uint8Array)) {
    return [
      ...memberLines(intent),
      '  warning: transactions are read here under Node 26 or later.',
    ];
  }
  const { explainRequest, signerOf } = await import(
    '../../core/transactions/headline/explain_request.ts'
  );
  const market = marketKindOf(type) === undefined ? undefined : await marketOf?.(intent);
  const signWith = signerOf(intent) || (market?.quoteSigner ?? '');
  const account = await accountOf(signWith);
  const descriptions = await descriptionsOf?.();
  const explained = explainRequest(type, intent, account, { descriptions, market });
  if (explained === undefined) {
    return [...memberLines(intent), '  warning: this transaction cannot be read here.'];
  }
  const { headlineLines } = await import('./headline_lines.ts');
  const { summary, effects, fee, warnings } = explained;
  // The submitter signed the name of the key, not the address that the service reports for it.
  const isSigned = isSameAddress(account?.address, signWith);
  return [
    ...headlineLines(explained, account?.address ?? signWith, await knownOf?.()),
    `  ${visible(summary)}`,
    `  signing account  ${visible(signWith)}`,
    ...(isSigned
      ? []
      : [
          `  warning: only the service reports that this key has ${visible(account?.address ?? '')}.`,
        ]),
    ...effects.filter(({ text }) => text !== summary).map(({ text }) => `  - ${visible(text)}`),
    ...(fee === undefined ? [] : [`  fee              ${visible(fee.text)}`]),
    ...warnings.map((warning) => `  warning: ${visible(warning.text)}`),
    '  Names from uploaded contract interfaces are not used here: only the service has them.',
    ...noteOf(descriptions),
  ];
}

/** Returns every member of the signed parameters as JSON, up to a maximum number of lines. */
function memberLines(intent: VerifiedActivity['intent']): readonly string[] {
  const lines = JSON.stringify(intent, undefined, 2).split('\n').slice(1, -1).map(visible);
  if (lines.length <= maximumContentLines) return lines;
  const hidden = lines.length - maximumContentLines;
  return [
    ...lines.slice(0, maximumContentLines),
    `  … ${hidden} more lines: keywright activity show ID --json has all of them`,
  ];
}
