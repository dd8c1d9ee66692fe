// A sign of life while the service has not answered, on the standard error of a person alone.

import type { Terminal } from './terminal.ts';

/** A wait that is answered sooner shows nothing. */
const patienceMs = 400;
const frameMs = 100;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** To the start of the line, and nothing in it. */
const erased = '\r\u001b[K';

/** Runs a callback again and again, first after a delay; returns what ends that. */
export type Ticker = (delayMs: number, everyMs: number, tick: () => void) => () => void;

/**
 * `fetch` that shows one spinner while requests wait longer than 0.4 s, and erases it before output. Does
 * nothing if standard error is not a terminal.
 */
export function withSpinner(
  send: typeof fetch,
  { err, errIsTerminal, environment }: Pick<Terminal, 'err' | 'errIsTerminal' | 'environment'>,
  ticker: Ticker = timers,
): typeof fetch {
  // A terminal that erases nothing would show every turn.
  if (!errIsTerminal || environment['TERM'] === 'dumb') return send;
  let waiting = 0;
  let stop = (): void => undefined;
  const begin = (): void => {
    waiting += 1;
    if (waiting > 1) return;
    let frame = 0;
    const cancel = ticker(patienceMs, frameMs, () => {
      err(`\r${frames[frame % frames.length]} waiting for the service`);
      frame += 1;
    });
    stop = () => {
      cancel();
      if (frame > 0) err(erased);
    };
  };
  return async (...asked) => {
    begin();
    try {
      return await send(...asked);
    } finally {
      waiting -= 1;
      if (waiting === 0) stop();
    }
  };
}

const timers: Ticker = (delayMs, everyMs, tick) => {
  let every: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    tick();
    every = setInterval(tick, everyMs);
  }, delayMs);
  return () => {
    clearTimeout(first);
    clearInterval(every);
  };
};
