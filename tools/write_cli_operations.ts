// Writes src/cli/generated/operations.json: all operations for the command line, one per line.

import { resources } from '../src/operations/index.ts';
import { described } from '../src/operations/vocabulary/index.ts';

/** Returns the document, from the table of operations. */
export function cliOperations(): string {
  const rows = Object.values(resources).flatMap(({ activities, votes = {}, queries }) => [
    ...[...Object.entries(activities), ...Object.entries(votes)].map(
      ([name, { summary, parameters }]) =>
        row(name, 'submit', summary, described(name, 'parameters', parameters)),
    ),
    ...Object.entries(queries).map(([name, { summary, body }]) =>
      row(name, 'query', summary, described(name, 'body', body)),
    ),
  ]);
  return `{\n${rows.join(',\n')}\n}\n`;
}

const row = (name: string, kind: 'submit' | 'query', summary: string, parameters: object): string =>
  `${JSON.stringify(name)}:${JSON.stringify({ kind, summary, parameters })}`;
