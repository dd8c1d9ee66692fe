import { failField } from '../../core/errors/errors.ts';
import { erc4626 } from '../../core/markets/vaults.ts';
import { answerText, decimal, numberOf, object, text } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { findSigningKey } from '../signing/signing_key.ts';
import {
  configuredVaults,
  requireValue,
  setDeposits,
  vaultChain,
  vaultOf,
} from './configured_vaults.ts';

export const earn_deploy_wrapper = activity({
  wire: wireOf('ACTIVITY_TYPE_EARN_DEPLOY_WRAPPER'),
  summary:
    'Opens a configured vault to deposits of the organization, without a fee. Nothing is deployed: the vault is its own wrapper.',
  subject: { resource: 'CONFIG', action: 'UPDATE' },
  authority: 'none',
  parameters: object({
    vaultAddress: text({ minimum: 42, maximum: 42 }),
    ...vaultChain(),
    clientFeeBps: decimal({ minimum: 0, maximum: 4_000 }),
    clientFeeWallet: text({ minimum: 1, maximum: 64 }),
  }),
  result: object({
    wrapperAddress: answerText(),
    splitterAddress: answerText(),
    deployRequestId: answerText(),
  }),

  callsExternal: () => true,

  load: async ({ organization, parameters, read, services }) => {
    const { vaultAddress: wrapperAddress, clientFeeBps } = parameters;
    if (numberOf(clientFeeBps) !== 0) {
      const reason = 'the service deploys no contract that takes a fee';
      const step = 'a wrapper with a fee (ERC-4626) is named in `vaults` as a vault';
      failField('parameters.clientFeeBps', `expected 0: ${reason}; ${step}`);
    }
    const vault = vaultOf({ ...parameters, wrapperAddress }, services.deployment);
    await findSigningKey(parameters.clientFeeWallet, organization, read);
    services.rejectEarlyIfImpossible({}, { isWhole: true });
    const { caip2, contracts } = vault;
    const calls = [erc4626.reads.token(contracts)];
    const [found] = await services.external.fetchContractValues({ caip2, calls });
    if (requireValue(found, vault) !== BigInt(contracts.token)) requireValue(undefined, vault);
    return vault.address;
  },
  apply: ({ activityId, organization, loaded: wrapperAddress, context, services }) => {
    const vaults = configuredVaults(services.deployment);
    setDeposits(wrapperAddress, false, { organization, vaults, now: context.now });
    return { wrapperAddress, splitterAddress: '', deployRequestId: activityId };
  },
});
