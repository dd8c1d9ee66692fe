import type { Chain } from '../../core/balances/chains.ts';
import { ChainFault, listOf, wholeNumber } from '../../core/balances/node_answer.ts';
import { solanaBlock, solanaMark } from '../../core/balances/solana_block.ts';
import type { ChainSource } from './follow.ts';
import type { JsonRpc } from './json_rpc.ts';

type Commitment = 'confirmed' | 'finalized';

/** Error codes of a node for a block that it does not have, now or ever. */
const absent: ReadonlySet<number | undefined> = new Set([-32004, -32007, -32009, -32014]);
/** Error code for a block with a transaction of a later version, whose transfers are still readable. */
const laterVersion = -32015;
/** Maximum empty slots in a row before the first block of a watch. */
const maximumSkipped = 10_000;

/**
 * Creates a source over the JSON-RPC of Solana. It needs two requests for a block, for any number of
 * addresses. Slots number the blocks; some slots have none.
 */
export function createSolanaSource(
  call: JsonRpc,
  watched: Pick<Chain, 'coin' | 'tokens'>,
): ChainSource {
  async function blockAt(slot: number, commitment: Commitment, transactionDetails: string) {
    const form = { encoding: 'json', rewards: false, commitment, transactionDetails };
    const withVersions = (maxSupportedTransactionVersion: number) =>
      call('getBlock', [slot, { ...form, maxSupportedTransactionVersion }]);
    try {
      return await withVersions(0).catch((error) => {
        if (error instanceof ChainFault && error.code === laterVersion) return withVersions(255);
        throw error;
      });
    } catch (error) {
      if (error instanceof ChainFault && absent.has(error.code)) return null;
      throw error;
    }
  }

  async function markAt(slot: number, commitment: Commitment) {
    const answer = await blockAt(slot, commitment, 'none');
    return answer === null ? undefined : solanaMark(answer, slot);
  }

  async function transfersAt(slot: number, commitment: Commitment) {
    const answer = await blockAt(slot, commitment, 'accounts');
    return answer === null ? undefined : solanaBlock(answer, { slot, watched });
  }

  /** Returns the first slot from this one on with a block, or undefined. */
  async function firstFrom(slot: number): Promise<number | undefined> {
    const answer = await call('getBlocksWithLimit', [slot, 1, { commitment: 'confirmed' }]);
    const [found] = listOf(answer).map((each) => Number(wholeNumber(each)));
    if (found !== undefined && found < slot)
      throw new ChainFault('the node returned an earlier slot than requested');
    return found;
  }

  return {
    newest: async () => Number(wholeNumber(await call('getSlot', [{ commitment: 'finalized' }]))),
    upTo: async (slot) => {
      const range = [Math.max(0, slot - maximumSkipped), slot];
      const found = listOf(await call('getBlocks', [...range, { commitment: 'finalized' }])).at(-1);
      if (found === undefined) throw new ChainFault('the node has no such old blocks');
      return markAt(Number(wholeNumber(found)), 'finalized');
    },
    mark: async (slot) => {
      const found = await firstFrom(slot);
      if (found === undefined) return undefined;
      return found === slot ? markAt(slot, 'confirmed') : { number: slot, hash: '' };
    },
    next: async (slot) => {
      const found = await firstFrom(slot + 1);
      return found === undefined ? undefined : transfersAt(found, 'confirmed');
    },
    final: (slot) => transfersAt(slot, 'finalized'),
  };
}
