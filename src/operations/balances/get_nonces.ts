import { signingSpellings } from '../../core/address/normalization.ts';
import { failField } from '../../core/errors/errors.ts';
import { answerText, boolean, object, optional, text } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import { caip2, chainOf } from './chain_of.ts';

export const get_nonces = query({
  summary: 'Returns the next nonce of an Ethereum address, as a node of the chain reports it.',
  body: object({
    address: text({ minimum: 1, maximum: 256 }),
    caip2: caip2(),
    nonce: optional(boolean()),
    gasStationNonce: optional(boolean()),
  }),
  response: object({ nonce: optional(answerText()) }),

  answer: async ({ body: { address, nonce, gasStationNonce, ...of }, services }) => {
    const chain = chainOf(services.deployment, of.caip2, { family: 'eip155:' });
    const stored = signingSpellings(address);
    if (!/^0x[0-9a-fA-F]{40}$/.test(stored)) {
      failField('address', 'expected an Ethereum address, `0x` and 40 hex digits');
    }
    if (gasStationNonce === true) {
      failField(
        'gasStationNonce',
        'expected `false`: no transaction of Ethereum is sponsored here',
      );
    }
    if (nonce !== true) return {};
    return { nonce: await services.external.transactionCount(chain.caip2, stored.toLowerCase()) };
  },
});
