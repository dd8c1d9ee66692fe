import { answerInteger, answerList, answerText, object } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { caip2, chainOf } from './chain_of.ts';

export const list_supported_assets = query({
  summary: 'Lists the coin and the tokens of a chain whose balances the service knows.',
  body: object({ caip2: caip2() }),
  response: object({
    assets: answerList(
      object({
        caip19: answerText(),
        symbol: answerText(),
        name: answerText(),
        decimals: answerInteger(),
        logoUrl: answerText(),
      }),
    ),
  }),

  answer: ({ body, services }) => {
    const { assets } = chainOf(services.deployment, body.caip2);
    // Typed clients refuse an asset without the member.
    return { assets: assets.map((asset) => ({ ...asset, logoUrl: '' })) };
  },
});
