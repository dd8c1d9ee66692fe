// Shows a spinner on the standard error while the service does not answer.

import type { Terminal } from './terminal.ts';

/** The spinner shows only after this time. */
const firstFrameMs = 400;
const frameMs = 100;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Moves to the start of the line and erases it. */
const erased = '\r\u001b[K';

/** Runs a callback repeatedly after a first delay. Returns a function that stops it. */
export type Ticker = (delayMs: number, everyMs: number, tick: () => void) => () => void;

/**
 * Wraps `fetch`: shows one spinner while requests take longer than 0.4 s, and erases it before output.
 * Returns `send` unchanged if standard error is not a terminal.
 */
export function withSpinner(
  send: typeof fetch,
  { err, errIsTerminal, environment }: Pick<Terminal, 'err' | 'errIsTerminal' | 'environment'>,
  ticker: Ticker = timers,
): typeof fetch {
  // A dumb terminal cannot erase, so it would show every frame.
  if (!errIsTerminal || environment['TERM'] === 'dumb') return send;
  let waiting = 0;
  let stop = (): void => undefined;
  const begin = (): void => {
    waiting += 1;
    if (waiting > 1) return;
    let frame = 0;
    const cancel = ticker(firstFrameMs, frameMs, () => {
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
