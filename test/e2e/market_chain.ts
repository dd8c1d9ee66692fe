// A development chain with contracts of a market, and the settings of a service on it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startAnvil } from './anvil.ts';
import { temporaryDirectory } from './service.ts';

/** The chain of anvil in the form of typed clients. */
export const caip2 = 'eip155:31337' as 'eip155:1';

/** Returns the compiled contracts of a file in `test/contracts/`. */
export const codeOf = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'contracts', `${name}.json`), 'utf8'));

/** Starts a chain with a token. */
export async function startMarketChain() {
  const anvil = await startAnvil();
  const [payer] = await anvil.call('eth_accounts');
  const deploy = async (data: string): Promise<`0x${string}`> => {
    const hash = await anvil.call('eth_sendTransaction', { from: payer, data, gas: '0xf42400' });
    await anvil.mine(1);
    return (await anvil.call('eth_getTransactionReceipt', hash)).contractAddress;
  };
  const token = await deploy(codeOf('vault').token);
  return {
    anvil,
    payer,
    token,
    deploy,
    /** Returns the start of a service on this chain. `market` names its contracts. */
    startWith: (market: object) => ({
      dataDirectory: temporaryDirectory(),
      environment: {
        KEYWRIGHT_ALLOW_PRIVATE_TARGETS: 'true',
        KEYWRIGHT_CHAINS: JSON.stringify({
          [caip2]: {
            rpcUrl: anvil.url,
            confirmations: 2,
            pollMs: 20,
            coin: { symbol: 'ETH', name: 'Ether', decimals: 18, slip44: 60 },
            tokens: [{ address: token, symbol: 'TST', name: 'Test', decimals: 6 }],
            ...market,
          },
        }),
      },
    }),
  };
}
