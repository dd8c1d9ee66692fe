import type { Readable, Writable } from 'node:stream';
import type { Channel } from './channel.ts';

/** A channel over a pair of byte streams: the pipes between the two processes, on either side. */
export function streamChannel(incoming: Readable, outgoing: Writable): Channel {
  return {
    write: (chunk, sent) => {
      outgoing.write(chunk, () => {
        // The sent bytes may have been secret, and the chunk is ours to overwrite.
        chunk.fill(0);
        sent();
      });
    },
    queuedBytes: () => outgoing.writableLength,
    onData: (receive) => {
      incoming.on('data', receive);
    },
    onClose: (closed) => {
      const once = Promise.withResolvers<void>();
      for (const event of ['end', 'close', 'error']) incoming.on(event, () => once.resolve());
      for (const event of ['close', 'error']) outgoing.on(event, () => once.resolve());
      void once.promise.then(closed);
    },
    close: () => {
      outgoing.end();
      incoming.destroy();
    },
  };
}
