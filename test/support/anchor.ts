import type { Anchor } from '../../src/core/custody/record.ts';
import type { Handlers } from '../../src/ipc/message_table.ts';
import type { GatewayMessages } from '../../src/ipc/messages.ts';

/** Returns an anchor in memory that answers like the gateway's. */
export function testAnchor(): Pick<
  Handlers<GatewayMessages>,
  'anchor' | 'setAnchor' | 'logAnchor' | 'witnessed'
> {
  let anchor: Anchor | undefined;
  return {
    anchor: () => ({ anchor }),
    logAnchor: () => ({ note: undefined }),
    witnessed: () => ({ checkpoints: [] }),
    setAnchor: (given) => {
      anchor = given;
      return { raised: true };
    },
  };
}
