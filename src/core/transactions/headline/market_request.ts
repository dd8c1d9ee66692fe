// Explains deposits, withdrawals and swaps from the signed parameters. The calls do not exist yet, because
// the service composes them when it executes the request.

import type { Effect, Warning } from '../../organization/records/transaction_explanation.ts';
import { coinAsset, coinOfChain, onChain } from '../ethereum/known_chains.ts';
import type { ExplainedTransaction } from '../explain_signed.ts';
import { assetText } from './asset_text.ts';
import type { MarketTerms, ReportedMarket } from './market_terms.ts';
import type { Intent, MarketKind } from './request_types.ts';
import { amountIn, chainIdIn, requestedFee } from './requested_fee.ts';

/** Maximum number of transactions. A deposit or swap may need an approval of the tokens first. */
const maximumTransactions: Readonly<Record<MarketKind, number>> = {
  EARN_DEPOSIT: 2,
  EARN_WITHDRAW: 1,
  EXECUTE_SWAP: 2,
};

/** Returns undefined for parameters without an Ethereum chain or an amount. */
export function explainMarketRequest(
  kind: MarketKind,
  intent: Intent,
  reported: ReportedMarket = {},
): ExplainedTransaction | undefined {
  const read = kind === 'EXECUTE_SWAP' ? readSwap : readVaultRequest;
  const found = read(intent, reported);
  if (found === undefined) return undefined;
  const { chain, terms, notes, warnings } = found;
  const { from, to, least } = terms;
  const bound = least === undefined ? '' : ' It reverts below the named output.';
  const summary = `${sentenceOf(terms, chain)} ${onChain(chainIdIn(chain))}.${bound}`;
  const isSwap = terms.kind === 'swap';
  const moved = terms.amount === undefined ? {} : { amount: String(terms.amount) };
  const effects: readonly Effect[] = [
    {
      kind: 'TOKEN_TRANSFER',
      text: summary,
      from,
      ...(isSwap ? {} : { to }),
      ...moved,
      asset: terms.asset,
    },
    ...notes.map((text): Effect => ({ kind: 'DATA', text })),
  ];
  const fee = requestedFee(intent, chain, maximumTransactions[kind]);
  return {
    summary,
    effects,
    ...(fee === undefined ? {} : { fee }),
    warnings,
    chain,
    market: terms,
  };
}

type ReadRequest = {
  readonly chain: string;
  readonly terms: MarketTerms;
  readonly notes: readonly string[];
  readonly warnings: readonly Warning[];
};

function sentenceOf(
  { kind, amount, asset, least, from, to, vaultName }: MarketTerms,
  chain: string,
): string {
  const moved = amount === undefined ? 'everything' : assetText(amount, asset, chain);
  const vault = (address: string) =>
    `the vault ${address}${vaultName === undefined ? '' : ` (${vaultName})`}`;
  switch (kind) {
    case 'deposit':
      return `${from} deposits ${moved} into ${vault(to)}`;
    case 'withdraw':
      return `${to} withdraws ${moved} from ${vault(from)}`;
    case 'swap': {
      const output = least === undefined ? '' : assetText(least.amount, least.asset, chain);
      return `${from} swaps ${moved} for at least ${output}, paid out to the same account`;
    }
  }
}

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value);

function readVaultRequest(intent: Intent, { vaults }: ReportedMarket): ReadRequest | undefined {
  const { wrapperAddress, signWith, chainCaip2, caip2, assets, amountValue } = intent;
  const chain = String(chainCaip2 ?? caip2).toLowerCase();
  const isDeposit = assets !== undefined;
  const named = isDeposit ? assets : amountValue;
  const amount = amountIn(named);
  if (!isAddress(wrapperAddress) || chainIdIn(chain) === undefined) return undefined;
  if (typeof signWith !== 'string') return undefined;
  if (amount === undefined && (isDeposit || named !== 'MAX')) return undefined;
  const vault = vaults?.find(
    (each) =>
      each.wrapperAddress.toLowerCase() === wrapperAddress.toLowerCase() &&
      each.caip19.toLowerCase().startsWith(`${chain}/`),
  );
  const token = vault && assetOfCaip19(vault.caip19);
  const [from, to] = isDeposit ? [signWith, wrapperAddress] : [wrapperAddress, signWith];
  return {
    chain,
    terms: {
      kind: isDeposit ? 'deposit' : 'withdraw',
      amount,
      asset: token ?? 'the token of the vault',
      from,
      to,
      vaultName: vault?.name,
    },
    notes: isDeposit
      ? [
          'Before it, the account lets the vault take exactly this amount, unless the vault may already.',
        ]
      : [],
    warnings: [
      {
        code: 'UNVERIFIED_AMOUNT',
        text:
          token === undefined
            ? 'The request names no token. The amount is in the smallest unit of the token of the vault.'
            : `The request names no token. Only the service reports that the vault holds ${token}.`,
      },
    ],
  };
}

function readSwap(intent: Intent, { quoteSigner }: ReportedMarket): ReadRequest | undefined {
  const { inputToken, outputToken, walletAccount, quoteId } = intent;
  const chain = String(inputToken).split('/')[0]?.toLowerCase() ?? '';
  const [input, output] = [assetOfCaip19(inputToken), assetOfCaip19(outputToken)];
  const [amount, least] = [amountIn(intent['inputAmount']), amountIn(intent['minOutputAmount'])];
  const from = typeof walletAccount === 'string' ? walletAccount : quoteSigner;
  if (input === undefined || output === undefined || chainIdIn(chain) === undefined) {
    return undefined;
  }
  if (amount === undefined || least === undefined) return undefined;
  const signer = from ?? `the account of the quote ${String(quoteId)}`;
  const terms = {
    kind: 'swap',
    amount,
    asset: input,
    least: { amount: least, asset: output },
    from: signer,
    to: signer,
  } as const;
  const isReported = walletAccount === undefined;
  return {
    chain,
    terms,
    notes: [
      'Before it, the account lets the router of the market take exactly this amount, unless it may already.',
      ...(isReported
        ? ['The request names a quote. Only the service reports the account of the quote.']
        : []),
    ],
    warnings: [],
  };
}

/** Returns the contract of a token or the coin of an Ethereum chain; undefined for other assets. */
function assetOfCaip19(caip19: unknown): string | undefined {
  const text = String(caip19).toLowerCase();
  const [, chain = '', contract] =
    /^(eip155:[0-9]+)\/(?:erc20:(0x[0-9a-f]{40})|slip44:[0-9]+)$/.exec(text) ?? [];
  const chainId = chainIdIn(chain);
  if (chainId === undefined) return undefined;
  return contract ?? coinOfChain(chainId) ?? coinAsset(chainId);
}
