import type { ExternalServices } from '../core/external/external_services.ts';
import { createChainLookups } from './chain_lookups.ts';
import type { Ports } from './ports.ts';

/** Lifetime of the displayed lookups of a waiting transaction. */
const lifeMs = 300_000;
/** Transactions that wait, of all organizations. */
const maximum = 1_000;

const shown = new WeakMap<ExternalServices, ExternalServices>();

/** The ports for those who only look at what waits: the vote that decides asks the chain itself. */
export function readOnlyPorts(ports: Ports): Ports {
  const { external, clock } = ports;
  const remembered = shown.getOrInsertComputed(external, () => {
    const { fetchEthereumFields, fetchSolanaFields } = createChainLookups(external, {
      clock,
      lifeMs,
      maximum,
    });
    return { ...external, fetchEthereumFields, fetchSolanaFields };
  });
  return { ...ports, external: remembered };
}
