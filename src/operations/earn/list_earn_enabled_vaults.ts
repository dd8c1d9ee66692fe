import {
  answerList,
  answerText,
  boolean,
  object,
  optional,
  text,
} from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import {
  closedVaultsOf,
  listedVault,
  listedVaultShapes,
  provider,
  selectVaults,
} from './configured_vaults.ts';
import { readTotals } from './vault_reads.ts';

export const list_earn_enabled_vaults = query({
  summary:
    'Lists the vaults that the organization can deposit into: all that the operator configured.',
  body: object({
    provider: optional(provider()),
    caip19: optional(text({ maximum: 128 })),
    includeExposure: optional(boolean()),
  }),
  response: object({
    enabledVaults: answerList(
      object({
        ...listedVaultShapes(),
        wrapperAddress: answerText(),
        totalDeposited: answerText(),
        clientFeeBps: answerText(),
        depositsDisabled: boolean(),
        deployStatus: answerText(),
        deployRequestId: answerText(),
        deployError: answerText(),
        netApyPct: answerText(),
      }),
    ),
  }),

  answer: async ({ body, organization, parent, services }) => {
    const closed = await closedVaultsOf(organization, parent);
    const vaults = await readTotals(selectVaults(body, services.deployment), services);
    return {
      enabledVaults: vaults.map((vault) => ({
        ...listedVault(vault),
        // Deposits go to the vault itself, so there is no fee and nothing to deploy.
        wrapperAddress: vault.address,
        totalDeposited: String(vault.total),
        clientFeeBps: '0',
        depositsDisabled: closed.has(vault.address),
        deployStatus: 'COMPLETED',
        deployRequestId: '',
        deployError: '',
        netApyPct: '',
      })),
    };
  },
});
