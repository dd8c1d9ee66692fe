// The far end of a link. As a program it serves `peerMessages` over stdin and stdout.

import { bytes, nothing } from '../../src/ipc/codec.ts';
import { createLink } from '../../src/ipc/rpc.ts';
import { streamChannel } from '../../src/ipc/stream_channel.ts';

export const peerMessages = {
  reverse: { request: bytes, answer: bytes },
  never: { request: nothing, answer: nothing },
} as const;

if (import.meta.main) {
  createLink({
    channel: streamChannel(process.stdin, process.stdout),
    calls: {},
    serves: peerMessages,
    handlers: {
      reverse: (value) => value.toReversed(),
      never: () => new Promise<undefined>(() => {}),
    },
    closedCode: 'store_unavailable',
    log: () => {},
  });
}
