import { isatty } from 'node:tty';
import { pino } from 'pino';
import type { LinkLog } from '../../ipc/message_table.ts';
import type { Settings } from '../../settings/settings.ts';
import { unblockedOutput } from '../../system/unblocked_output.ts';
import { monotonicClock } from '../base/clock.ts';
import { createLineWriter } from './line_writer.ts';
import { logNodeWarnings } from './node_warnings.ts';
import { readableLine } from './readable_line.ts';

/** The operator's log. Callers never pass a body, a stamp or a key. */
export type Log = LinkLog;

export type OpenLog = {
  readonly log: Log;
  /** Returns the number of lines that were dropped. */
  dropped(): number;
  /** Waits a moment for the reader of the last lines. */
  end(): Promise<void>;
};

const standardOutput = 1;

/**
 * Writes lines at or above a level to standard output, without waiting for the reader. Until `end`, warnings
 * of Node are lines too.
 */
export function openLog({
  logLevel: level,
  logFormat,
}: Pick<Settings, 'logLevel' | 'logFormat'>): OpenLog {
  const isText = logFormat === 'text' || (logFormat === 'auto' && isatty(standardOutput));
  const lines = createLineWriter({
    write: unblockedOutput(standardOutput),
    report: (dropped) => {
      const line = { level: 'warn', time: timeOf(), dropped, msg: 'lines of the log were dropped' };
      return isText ? readableLine(line) : `${JSON.stringify(line)}\n`;
    },
    clock: monotonicClock,
  });
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${timeOf()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const write = (line: string) => lines.write(readableLine(JSON.parse(line)));
  const logger = pino(options, isText ? { write } : lines);
  const log: Log = (lineLevel, message, fields) => logger[lineLevel](fields, message);
  const letNodePrint = logNodeWarnings(log);
  return {
    log,
    dropped: lines.dropped,
    end: async () => {
      await lines.end();
      letNodePrint();
    },
  };
}

/** Wraps a log that its caller owns. */
export function givenLog(log: Log): OpenLog {
  return { log, dropped: () => 0, end: async () => undefined };
}

const timeOf = (): string => new Date().toISOString();
