// Warnings of Node as lines of the log. Node itself would write them to standard error, in the middle of a
// line if both streams share an output.

import type { EventEmitter } from 'node:events';
import type { LinkLog } from '../../ipc/message_table.ts';

/**
 * Logs the warnings of this process instead of printing them, with the first frame of the stack outside of
 * Node. Returns a function that lets Node print them again.
 */
export function logNodeWarnings(log: LinkLog, source: EventEmitter = process): () => void {
  const printers = source.rawListeners('warning') as ((...values: unknown[]) => void)[];
  source.removeAllListeners('warning');
  const write = ({ name, message, stack = '' }: Error): void => {
    const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
    const at = frames.find((frame) => !frame.includes('node:'))?.trim() ?? '';
    log('warn', 'Node reported a warning', { name, detail: message, at });
  };
  source.on('warning', write);
  return () => {
    source.off('warning', write);
    for (const print of printers) source.on('warning', print);
  };
}
