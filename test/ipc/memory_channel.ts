import type { Channel } from '../../src/ipc/channel.ts';

export type MemoryChannel = Channel & { sent: Uint8Array[] };

/** Creates two ends of a channel within this process. Chunks are delivered as they were written. */
export function memoryChannels(): [MemoryChannel, MemoryChannel] {
  const receivers: (((chunk: Uint8Array) => void) | undefined)[] = [undefined, undefined];
  const closers: (() => void)[] = [];
  let isOpen = true;
  const end = (side: 0 | 1): MemoryChannel => {
    const sent: Uint8Array[] = [];
    return {
      sent,
      write: (chunk, wasSent) => {
        if (!isOpen) return;
        // `slice` of a Buffer would return a view.
        const copy = Uint8Array.from(chunk);
        sent.push(Uint8Array.from(chunk));
        wasSent();
        receivers[1 - side]?.(copy);
      },
      queuedBytes: () => 0,
      onData: (receive) => {
        receivers[side] = receive;
      },
      onClose: (closed) => {
        closers.push(closed);
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        for (const closed of closers) closed();
      },
    };
  };
  return [end(0), end(1)];
}
