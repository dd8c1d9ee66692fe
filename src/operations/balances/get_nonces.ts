import { signingSpellings } from '../../core/address/normalization.ts';
import { failField } from '../../core/errors/errors.ts';
import type { DeployedChain, ExternalServices } from '../../core/external/external_services.ts';
import { answerText, boolean, object, optional, text } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { caip2, chainOf } from './chain_of.ts';

export const get_nonces = query({
  summary: 'Returns the next nonces of an Ethereum address, as nodes of the chain report them.',
  body: object({
    address: text({ minimum: 1, maximum: 256 }),
    caip2: caip2(),
    nonce: optional(boolean()),
    gasStationNonce: optional(boolean()),
  }),
  response: object({ nonce: optional(answerText()), gasStationNonce: optional(answerText()) }),

  answer: async ({ body: { address, nonce, gasStationNonce, ...of }, services }) => {
    const chain = chainOf(services.deployment, of.caip2, { family: 'eip155:' });
    const stored = signingSpellings(address);
    if (!/^0x[0-9a-fA-F]{40}$/.test(stored)) {
      failField('address', 'expected an Ethereum address, `0x` and 40 hex digits');
    }
    const { external } = services;
    const own = stored.toLowerCase();
    const [count, atStation] = await Promise.all([
      nonce === true ? external.transactionCount(chain.caip2, own) : undefined,
      gasStationNonce === true ? stationNonceOf(own, chain, external) : undefined,
    ]);
    return {
      ...(count === undefined ? {} : { nonce: count }),
      ...(atStation === undefined ? {} : { gasStationNonce: atStation }),
    };
  },
});

/** Returns the nonce of an address at the gas station of a chain. Raises `field_invalid`. */
async function stationNonceOf(
  address: string,
  { caip2, gasStation }: DeployedChain,
  external: Pick<ExternalServices, 'fetchSponsoredFields'>,
): Promise<string> {
  if (gasStation === undefined) {
    failField('gasStationNonce', 'expected `false`: the operator named no `gasStation`');
  }
  const { stationNonce } = await external.fetchSponsoredFields({
    caip2,
    sponsor: address,
    from: address,
    station: gasStation,
    calls: [],
    estimatesGas: false,
  });
  return String(stationNonce);
}
