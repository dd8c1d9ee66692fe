import { chainNameOf } from '../../core/balances/chain_names.ts';
import { failField } from '../../core/errors/errors.ts';
import type { DeployedChain, Deployment } from '../../core/external/external_services.ts';
import { text } from '../../core/schema/schema.ts';

/** The member that names a chain. */
export const caip2 = () => text({ minimum: 1, maximum: 64 });

/** Returns the requested chain if its family is accepted. Errors name the member `field`. */
export function chainOf(
  { chains }: Pick<Deployment, 'chains'>,
  name: string,
  { family = '', field = 'caip2' }: { readonly family?: string; readonly field?: string } = {},
): DeployedChain {
  const able = chains.filter((chain) => chain.caip2.startsWith(family));
  const found = able.find((chain) => chain.caip2 === chainNameOf(name));
  if (found !== undefined) return found;
  const names = able.map((chain) => `\`${chain.caip2}\``).join(', ');
  const expected =
    names === '' ? 'nothing, since the service has no such chain' : `one of ${names}`;
  return failField(field, `expected ${expected}, got \`${name}\``);
}
