import type { ExternalServices } from '../core/external/external_services.ts';
import { createFills } from './fills.ts';
import type { Ports } from './ports.ts';

/** How long it is shown what a transaction that waits would be, without another look at its chain. */
const lifeMs = 300_000;
/** Transactions that wait, of all organizations. */
const maximum = 1_000;

const shown = new WeakMap<ExternalServices, ExternalServices>();

/** The ports for those who only look at what waits: the vote that decides asks the chain itself. */
export function shownPorts(ports: Ports): Ports {
  const { external, clock } = ports;
  const remembered = shown.getOrInsertComputed(external, () => {
    const { fillEthereum, fillSolana } = createFills(external, { clock, lifeMs, maximum });
    return { ...external, fillEthereum, fillSolana };
  });
  return { ...ports, external: remembered };
}
