import { failField } from '../../core/errors/errors.ts';
import { erc4626 } from '../../core/markets/vaults.ts';
import { answerText, boolean, object, optional, text } from '../../core/schema/schema.ts';
import { amountOf } from '../../core/sends/ethereum_send.ts';
import type { StationCall } from '../../core/sends/gas_station.ts';
import { activity, wireOf } from '../operation.ts';
import { namedNonces, prepareCalls, requireAddress } from '../sending/composed_calls.ts';
import { orderSignatures } from '../sending/ethereum_prepared.ts';
import { senderOf } from '../sending/ethereum_sender.ts';
import type { LoadServices } from '../services.ts';
import { signWith } from '../signing/signing_key.ts';
import {
  type ConfiguredVault,
  requireValue,
  vaultChain,
  vaultOf,
  wrapperAddress,
} from './configured_vaults.ts';

export const earn_withdraw = activity({
  wire: wireOf('ACTIVITY_TYPE_EARN_WITHDRAW'),
  summary: 'Moves tokens from a vault to the address that holds the position.',
  subject: { resource: 'PRIVATE_KEY', action: 'SIGN' },
  authority: 'keys',
  parameters: object({
    wrapperAddress: wrapperAddress(),
    signWith: signWith(),
    ...vaultChain(),
    sponsor: optional(boolean()),
    ...namedNonces(),
    amountValue: text({ minimum: 1, maximum: 78 }),
  }),
  result: object({ withdrawRequestId: answerText() }),

  callsExternal: () => true,
  signs: true,

  load: async (input) => {
    const { parameters, services } = input;
    const vault = vaultOf(parameters, services.deployment);
    requireAddress(parameters.signWith);
    const sender = await senderOf({ from: parameters.signWith, caip2: vault.caip2 }, input);
    const owner = sender.place.address;
    const { amountValue } = parameters;
    const isAll = amountValue === 'MAX';
    const amount = isAll ? 0n : amountOf('parameters.amountValue', amountValue);
    services.rejectEarlyIfImpossible(sender.found.facts, { isWhole: false });
    const first = isAll
      ? await redeemAll(vault, owner, services)
      : erc4626.withdraw(vault.contracts, amount, owner);
    return await prepareCalls(
      { sender, calls: { first }, sponsor: parameters.sponsor === true, nonces: parameters },
      input,
    );
  },
  facts: ({ loaded }) => loaded.facts(),
  explain: ({ loaded }) => loaded.explain(),
  obtain: (input) => orderSignatures(input.loaded, input),
  apply: ({ loaded, ...input }) => ({ withdrawRequestId: loaded.start(input) }),
});

/** Redeems all shares, because their value in tokens is known only in the block. */
async function redeemAll(
  vault: ConfiguredVault,
  owner: string,
  { external }: Pick<LoadServices, 'external'>,
): Promise<StationCall> {
  const { caip2, contracts } = vault;
  const calls = [erc4626.reads.shares(contracts, owner)];
  const [held] = await external.fetchContractValues({ caip2, calls });
  const shares = requireValue(held, vault);
  if (shares === 0n) failField('parameters.amountValue', 'expected a position, and there is none');
  return erc4626.redeem(contracts, shares, owner);
}
