import { signingSpellings } from '../../core/address/normalization.ts';
import { amountText } from '../../core/balances/amount_text.ts';
import { fail, failField } from '../../core/errors/errors.ts';
import { watchedAddressOf } from '../../core/organization/indexes/indexes.ts';
import { answerInteger, answerList, answerText, object, text } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { caip2, chainOf } from './chain_of.ts';

export const get_wallet_address_balances = query({
  summary:
    'Returns the balances of the address of a wallet account on a chain, as a node of the chain reports them.',
  body: object({ address: text({ minimum: 1, maximum: 256 }), caip2: caip2() }),
  response: object({
    balances: answerList(
      object({
        caip19: answerText(),
        symbol: answerText(),
        name: answerText(),
        decimals: answerInteger(),
        balance: answerText(),
        display: object({ crypto: answerText(), usd: answerText() }),
        tokenProgram: answerText(),
      }),
    ),
  }),

  answer: async ({ body, read, services: { deployment, external } }) => {
    const chain = chainOf(deployment, body.caip2);
    const accounts = await read.walletAccountsByAddress(signingSpellings(body.address));
    if (accounts.length === 0) {
      fail('wallet_account_not_found', { by: 'address', value: body.address });
    }
    const held = accounts.map(watchedAddressOf);
    const account = held.find((each) => each && chain.caip2.startsWith(`${each.prefix}:`));
    if (account === undefined) {
      return failField('address', `expected an address of \`${chain.caip2}\`, got another one`);
    }
    const amounts = await external.chainAmounts(chain.caip2, account.address);
    return {
      balances: chain.assets.flatMap((asset) => {
        const balance = amounts.get(asset.caip19) ?? '0';
        // The node's answer comes through the gateway, which is not trusted.
        if (!/^(?:0|[1-9][0-9]{0,77})$/.test(balance)) {
          fail('chain_node_unavailable', { caip2: chain.caip2 });
        }
        const display = { crypto: amountText(balance, asset.decimals), usd: '' };
        return balance === '0' ? [] : [{ ...asset, balance, display, tokenProgram: '' }];
      }),
    };
  },
});
