// The far end of a link: run as a program it serves `peerMessages` over stdin and stdout.

import { bytes, nothing } from '../../src/enclave/frame_codec.ts';
import { createLink } from '../../src/enclave/link.ts';
import { streamChannel } from '../../src/enclave/stream_channel.ts';

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
