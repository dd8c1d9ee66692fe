import { failField } from '../../core/errors/errors.ts';
import { answerText, boolean, object } from '../../core/schema/schema.ts';
import { activity, wireOf } from '../operation.ts';
import { configuredVaults, setDeposits, wrapperAddress } from './configured_vaults.ts';

export const earn_set_wrapper_state = activity({
  wire: wireOf('ACTIVITY_TYPE_EARN_SET_WRAPPER_STATE'),
  summary:
    'Sets whether a vault takes deposits of the organization and its sub-organizations. Withdrawals stay possible.',
  subject: { resource: 'CONFIG', action: 'UPDATE' },
  authority: 'none',
  parameters: object({ wrapperAddress: wrapperAddress(), depositsDisabled: boolean() }),
  result: object({ wrapperAddress: answerText(), depositsDisabled: boolean() }),

  apply: ({ organization, parameters, context, services }) => {
    const { depositsDisabled } = parameters;
    const address = parameters.wrapperAddress.toLowerCase();
    const vaults = configuredVaults(services.deployment);
    if (!vaults.some((vault) => vault.address === address)) {
      failField('parameters.wrapperAddress', 'expected a vault that the operator configured');
    }
    setDeposits(address, depositsDisabled, { organization, vaults, now: context.now });
    return { wrapperAddress: address, depositsDisabled };
  },
});
