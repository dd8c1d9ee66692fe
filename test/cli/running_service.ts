// Runs commands against a running service.

import { serviceOfThisFile } from '../e2e/service.ts';
import { type Ran, runIn } from './terminal.ts';

type More = Parameters<typeof runIn>[2];

/** Starts a service for the tests of a file. `run` runs the words after `keywright`. */
export async function commandsOfThisFile(settings: Readonly<Record<string, string>> = {}) {
  const service = await serviceOfThisFile(settings);
  const environment = {
    KEYWRIGHT_DATA_DIR: '.',
    KEYWRIGHT_URL: service.baseUrl,
    XDG_CONFIG_HOME: `${service.dataDirectory}/config`,
  };
  const run = (words: string | readonly string[], more: More = {}): Promise<Ran> => {
    const typed = typeof words === 'string' ? wordsOf(words) : words;
    return runIn(service.dataDirectory, typed, { environment, ...more });
  };
  /** Runs with `--json`, and requires success. */
  const json = async (words: string, more: More = {}) => {
    const { code, out, err } = await run(`${words} --json`, more);
    if (code !== 0) throw new Error(`keywright ${words} ended with ${code}: ${err}`);
    return JSON.parse(out);
  };
  return { service, run, json };
}

/** Splits words like a shell, with quotes. */
const wordsOf = (text: string): readonly string[] =>
  text.match(/"[^"]*"|'[^']*'|\S+/g)?.map((word) => word.replace(/^(['"])(.*)\1$/s, '$2')) ?? [];
