import type { Asset } from '../../core/balances/chains.ts';
import { vaultProviders } from '../../core/balances/market_contracts.ts';
import { answerInteger, answerList, answerText, object, oneOf } from '../../core/schema/schema.ts';
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
        earnProviders: answerList(oneOf(vaultProviders)),
      }),
    ),
  }),

  answer: ({ body, services }) => {
    const { assets, vaults } = chainOf(services.deployment, body.caip2);
    const protocolsOf = ({ caip19 }: Asset) =>
      vaultProviders.filter((name) =>
        vaults.some((vault) => vault.caip19 === caip19 && vault.provider === name),
      );
    // Typed clients refuse an asset without `logoUrl`.
    return {
      assets: assets.map((asset) => ({
        ...asset,
        logoUrl: '',
        earnProviders: protocolsOf(asset),
      })),
    };
  },
});
