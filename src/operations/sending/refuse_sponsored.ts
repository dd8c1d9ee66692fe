import { failField } from '../../core/errors/errors.ts';

const ofSponsored = ['deadline', 'gasStationNonce'] as const;

/** Refuses what only sponsored transactions have: senders pay for themselves. */
export function refuseSponsored(
  parameters: {
    readonly sponsor?: boolean | undefined;
  } & { readonly [name in (typeof ofSponsored)[number]]?: string | undefined },
): void {
  if (parameters.sponsor === true) {
    failField('parameters.sponsor', 'expected `false`: the service sponsors no transactions');
  }
  for (const name of ofSponsored) {
    if (parameters[name] === undefined) continue;
    failField(`parameters.${name}`, 'expected nothing: only sponsored transactions have it');
  }
}
