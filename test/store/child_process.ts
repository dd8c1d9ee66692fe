// A second process for a test: it sends texts, and ends when it is killed.

import { fork } from 'node:child_process';
import { once } from 'node:events';

export type Child = {
  /** Resolves at the message for which `isLast` returns true; `isLast` receives each message in order. */
  until(isLast: (message: string) => boolean): Promise<void>;
  /** Kills the process like a crash; returns the messages that it had sent meanwhile. */
  kill(): Promise<readonly string[]>;
};

/** Starts a file of this folder as a process. */
export function startChild(file: string, args: readonly string[]): Child {
  const child = fork(new URL(file, import.meta.url), args);
  const failure = once(child, 'error').then(([error]) => Promise.reject(error));
  return {
    until: async (isLast) => {
      const found = new Promise<void>((resolve, reject) => {
        const onMessage = (message: unknown) => {
          if (!isLast(String(message))) return;
          child.off('message', onMessage);
          child.off('exit', onExit);
          resolve();
        };
        const onExit = (code: number | null) => reject(new Error(`the child ended with ${code}`));
        child.on('message', onMessage);
        child.on('exit', onExit);
      });
      await Promise.race([found, failure]);
    },
    kill: async () => {
      const rest: string[] = [];
      child.on('message', (message) => rest.push(String(message)));
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
      return rest;
    },
  };
}
