import { signingSpellings } from '../../core/address/normalization.ts';
import { failField } from '../../core/errors/errors.ts';
import { answerList, answerText, boolean, object, text } from '../../core/schema/schema.ts';
import { query } from '../operation.ts';
import {
  closedVaultsOf,
  configuredVaults,
  displayOf,
  provider,
  shownVault,
} from './configured_vaults.ts';
import { readPositions } from './vault_reads.ts';

/** Members that typed clients require. The service keeps no totals of a position. */
const unknownSums = { totalDeposited: '', totalWithdrawn: '' };
const unknownDisplays = {
  totalDepositedUsd: '',
  totalDepositedCrypto: '',
  totalWithdrawnUsd: '',
  totalWithdrawnCrypto: '',
};

export const list_earn_positions = query({
  summary:
    'Lists what an address holds in the configured vaults, as nodes of the chains report it.',
  body: object({ walletAddress: text({ minimum: 1, maximum: 256 }) }),
  response: object({
    positions: answerList(
      object({
        vaultAddress: answerText(),
        wrapperAddress: answerText(),
        provider: provider(),
        caip19: answerText(),
        currentValue: answerText(),
        totalDeposited: answerText(),
        totalWithdrawn: answerText(),
        display: object({
          currentValueUsd: answerText(),
          currentValueCrypto: answerText(),
          totalDepositedUsd: answerText(),
          totalDepositedCrypto: answerText(),
          totalWithdrawnUsd: answerText(),
          totalWithdrawnCrypto: answerText(),
        }),
        depositsDisabled: boolean(),
      }),
    ),
  }),

  answer: async ({ body: { walletAddress }, organization, parent, services }) => {
    const vaults = configuredVaults(services.deployment);
    const address = signingSpellings(walletAddress);
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
      failField('walletAddress', 'expected an Ethereum address, `0x` and 40 hex digits');
    }
    const closed = await closedVaultsOf(organization, parent);
    const held = await readPositions(vaults, address.toLowerCase(), services);
    return {
      positions: held.map(({ worth, ...vault }) => {
        const { usd, crypto } = displayOf(worth, vault.asset);
        return {
          ...shownVault(vault),
          wrapperAddress: vault.address,
          currentValue: String(worth),
          ...unknownSums,
          display: { currentValueUsd: usd, currentValueCrypto: crypto, ...unknownDisplays },
          depositsDisabled: closed.has(vault.address),
        };
      }),
    };
  },
});
