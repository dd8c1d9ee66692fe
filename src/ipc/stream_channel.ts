import type { Readable, Writable } from 'node:stream';
import type { Channel } from './channel.ts';

/** Returns a channel over a pair of byte streams, the pipes between the two processes. */
export function streamChannel(incoming: Readable, outgoing: Writable): Channel {
  return {
    write: (chunk, sent) => {
      outgoing.write(chunk, () => {
        // The chunk may hold a secret, and the channel owns it.
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
