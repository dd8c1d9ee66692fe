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
  displayOf,
  selectVaults,
  shownVault,
  unknownFigureShapes,
  unknownFigures,
  valueDisplay,
} from './configured_vaults.ts';
import { provider, readTotals } from './vault_reads.ts';

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
        vaultAddress: answerText(),
        wrapperAddress: answerText(),
        provider: provider(),
        caip19: answerText(),
        totalDeposited: answerText(),
        display: valueDisplay(),
        clientFeeBps: answerText(),
        depositsDisabled: boolean(),
        name: answerText(),
        curator: answerText(),
        deployStatus: answerText(),
        deployRequestId: answerText(),
        deployError: answerText(),
        netApyPct: answerText(),
        ...unknownFigureShapes(),
      }),
    ),
  }),

  answer: async ({ body, services }) => {
    const vaults = await readTotals(selectVaults(body, services.deployment), services);
    return {
      enabledVaults: vaults.map((vault) => ({
        ...shownVault(vault),
        // Deposits go to the vault itself, so there is no fee and nothing to deploy.
        wrapperAddress: vault.address,
        totalDeposited: String(vault.total),
        display: displayOf(vault.total, vault.asset),
        clientFeeBps: '0',
        depositsDisabled: false,
        name: vault.name,
        curator: vault.curator,
        deployStatus: 'COMPLETED',
        deployRequestId: '',
        deployError: '',
        netApyPct: '',
        ...unknownFigures,
      })),
    };
  },
});
