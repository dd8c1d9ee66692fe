import { pino } from 'pino';
import type { LinkLog } from '../ipc/rpc.ts';

/** The operator's log. Never given a body, a stamp or a key. */
export type Log = LinkLog;

/** JSON lines on standard output, from the given level upwards. */
export function createLog(level: string): Log {
  const logger = pino({
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
  });
  return (lineLevel, message, fields) => logger[lineLevel](fields, message);
}
