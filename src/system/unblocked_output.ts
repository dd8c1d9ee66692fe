// Non-blocking output: rejects bytes that the reader cannot take at once.

import type { Socket } from 'node:net';
import { isatty } from 'node:tty';

// Imports of these modules load all their parts, which would delay each start of a command.
const { constants, fstatSync, openSync, writeSync } = process.getBuiltinModule('node:fs');
const net = process.getBuiltinModule('node:net');

/**
 * Returns a function that writes bytes to a descriptor and returns the number written. If it writes none, it
 * throws the error of the operating system: `EAGAIN` while the reader is behind, `ENOSPC` on a full disk,
 * `EPIPE` without a reader.
 */
export function unblockedOutput(descriptor: number): (bytes: Uint8Array) => number {
  const { descriptor: own } = unblocked(descriptor);
  return (bytes) => writeSync(own, bytes);
}

/** Keeps sockets reachable, because a collected socket would close its descriptor. */
const kept: Socket[] = [];

function unblocked(descriptor: number): { readonly descriptor: number } {
  const isPipe = fstatSync(descriptor).isFIFO();
  const isSocket = fstatSync(descriptor).isSocket();
  if (isPipe || isatty(descriptor)) {
    try {
      // Opens it again, so that other processes on the same pipe or terminal stay in blocking mode.
      const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
      const flags = O_WRONLY | O_NONBLOCK | O_NOCTTY;
      return { descriptor: openSync(`/proc/self/fd/${descriptor}`, flags) };
    } catch {
      // The system is not Linux, or another user owns the pipe.
    }
  }
  if (isPipe || isSocket) {
    // Node sets the descriptor of a socket to non-blocking mode.
    const socket = new net.Socket({ fd: descriptor, readable: false, writable: true });
    socket.on('error', () => undefined);
    socket.unref();
    kept.push(socket);
  }
  return { descriptor };
}
