// The chains of the service and their nodes.

import { chainText, isTestNetwork } from '../../../src/core/transactions/ethereum/known_chains.ts';
import { t } from '../../messages/text.ts';
import { useSession } from '../session/context.ts';
import { shown } from './activity_text.ts';
import { ofNodes, type Read, useRead } from './queries.ts';
import type { ServiceHealth } from './reads.ts';

/** Reads which chains have a node, and whether it answers. */
export function useServiceHealth(): Read<ServiceHealth> {
  const { client } = useSession();
  return useRead([ofNodes, 'health'], (signal) =>
    client.query('get_service_health', {}, { signal }),
  );
}

/** Returns the name of a chain by its CAIP-2 name, and marks test networks. */
export function chainName(caip2: string): string {
  const chain = shown(chainText(caip2) ?? caip2);
  return isTestNetwork(caip2) ? t('headline.testChain', { chain }) : chain;
}
