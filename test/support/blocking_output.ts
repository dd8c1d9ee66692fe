// Loaded by each process of a run. Writes to its standard output wait until they are done: a process that is
// made to exit would else lose what waits, and with it the last failures and skips of its file.

const { _handle: handle } = process.stdout as unknown as {
  readonly _handle?: { readonly setBlocking?: (isBlocking: boolean) => void };
};
handle?.setBlocking?.(true);
