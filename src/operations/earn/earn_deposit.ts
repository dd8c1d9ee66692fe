import { fail, failField } from '../../core/errors/errors.ts';
import { erc4626 } from '../../core/markets/vaults.ts';
import { answerText, boolean, object, optional, text } from '../../core/schema/schema.ts';
import { amountOf } from '../../core/sends/ethereum_send.ts';
import { activity, wireOf } from '../operation.ts';
import {
  approvedCalls,
  namedNonces,
  prepareCalls,
  requireAddress,
} from '../sending/composed_calls.ts';
import { orderSignatures } from '../sending/ethereum_prepared.ts';
import { senderOf } from '../sending/ethereum_sender.ts';
import { signWith } from '../signing/signing_key.ts';
import {
  closedVaultsOf,
  requireValue,
  vaultChain,
  vaultOf,
  wrapperAddress,
} from './configured_vaults.ts';

export const earn_deposit = activity({
  wire: wireOf('ACTIVITY_TYPE_EARN_DEPOSIT'),
  summary: 'Moves tokens of an address into a vault that the operator configured.',
  subject: { resource: 'PRIVATE_KEY', action: 'SIGN' },
  authority: 'keys',
  parameters: object({
    wrapperAddress: wrapperAddress(),
    signWith: signWith(),
    assets: text({ minimum: 1, maximum: 78 }),
    ...vaultChain(),
    sponsor: optional(boolean()),
    ...namedNonces(),
  }),
  result: object({ depositRequestId: answerText() }),

  callsExternal: () => true,
  signs: true,

  load: async (input) => {
    const { parameters, services } = input;
    const vault = vaultOf(parameters, services.deployment);
    const { caip2, contracts, address } = vault;
    const closed = await closedVaultsOf(input.organization, services.parent);
    if (closed.has(address)) fail('deposits_disabled', { address, caip2 });
    requireAddress(parameters.signWith);
    const sender = await senderOf({ from: parameters.signWith, caip2 }, input);
    const amount = amountOf('parameters.assets', parameters.assets);
    services.rejectEarlyIfImpossible(sender.found.facts, { isWhole: false });
    const owner = sender.place.address;
    const { token, allowance, preview } = erc4626.reads;
    const [found, allowed, shares] = await services.external.fetchContractValues({
      caip2,
      calls: [token(contracts), allowance(contracts, owner), preview(contracts, amount)],
    });
    // A deposit into a vault of another token would fail after its approval.
    if (requireValue(found, vault) !== BigInt(contracts.token)) requireValue(undefined, vault);
    if (requireValue(shares, vault) === 0n) {
      failField('parameters.assets', 'expected more: the vault gives no share for it');
    }
    const deposit = erc4626.deposit(contracts, amount, owner);
    const isApproved = requireValue(allowed, vault) >= amount;
    const approval = () => erc4626.approve(contracts, amount);
    const calls = approvedCalls(deposit, { isApproved, approval, gas: vault.depositGas });
    return await prepareCalls(
      { sender, calls, sponsor: parameters.sponsor === true, nonces: parameters },
      input,
    );
  },
  facts: ({ loaded }) => loaded.facts(),
  explain: ({ loaded }) => loaded.explain(),
  obtain: (input) => orderSignatures(input.loaded, input),
  apply: ({ loaded, ...input }) => ({ depositRequestId: loaded.start(input) }),
});
