// Output that never makes the process wait: bytes that its reader does not take at once are refused.

import type { Socket } from 'node:net';
import { isatty } from 'node:tty';

// Imports of these modules load all their parts, which would delay each start of a command.
const { constants, fstatSync, openSync, writeSync } = process.getBuiltinModule('node:fs');
const net = process.getBuiltinModule('node:net');

/**
 * Returns a function that writes bytes to a descriptor and returns the number written. It raises the error of
 * the operating system if none were: `EAGAIN` while the reader is behind, `ENOSPC` on a full disk, `EPIPE`
 * without a reader.
 */
export function unblockedOutput(descriptor: number): (bytes: Uint8Array) => number {
  const { descriptor: own } = unblocked(descriptor);
  return (bytes) => writeSync(own, bytes);
}

/** Sockets that stand for a descriptor: one that is collected would close it. */
const kept: Socket[] = [];

function unblocked(descriptor: number): { readonly descriptor: number } {
  const isPipe = fstatSync(descriptor).isFIFO();
  const isSocket = fstatSync(descriptor).isSocket();
  if (isPipe || isatty(descriptor)) {
    try {
      // It is opened anew, so that other processes on the same pipe or terminal are not affected.
      const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
      const flags = O_WRONLY | O_NONBLOCK | O_NOCTTY;
      return { descriptor: openSync(`/proc/self/fd/${descriptor}`, flags) };
    } catch {
      // Another system than Linux, or a pipe that another user made.
    }
  }
  if (isPipe || isSocket) {
    // Node puts what it makes a socket of into the mode in which nothing waits.
    const socket = new net.Socket({ fd: descriptor, readable: false, writable: true });
    socket.on('error', () => undefined);
    socket.unref();
    kept.push(socket);
  }
  return { descriptor };
}
