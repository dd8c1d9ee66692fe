// The page of differences for teams that move an application here, from the table of `migrate check`.

import { type Difference, differences } from '../src/cli/migration/differences.ts';

/** Writes `docs/moving.md`. */
export function movingPage(): string {
  const served = differences.filter(({ isUnserved }) => isUnserved !== true);
  const unserved = differences.filter(({ isUnserved }) => isUnserved === true);
  return [
    '# Moving an application here',
    '',
    'An application of the API family runs here with a different base URL. This page lists the intended differences and the next step for each. `keywright migrate check DIR` searches an application for their marks: the packages in `package.json`, and the operations, members and host names in its sources.',
    '',
    'The search reads up to 10,000 files of at most 1 MiB, and up to 16 folders deep. It skips hidden folders, installed packages, builds and symbolic links, and sends no data. It does not find members that the application composes at run time.',
    '',
    '## Different behavior',
    '',
    '| difference | here | next step | marks |',
    '|---|---|---|---|',
    ...served.map((row) => `| ${row.title} | ${row.here} | ${row.step} | ${marks(row)} |`),
    '',
    '## Missing operations',
    '',
    '| operations | why | next step |',
    '|---|---|---|',
    ...unserved.map((row) => `| ${row.title}: ${marks(row)} | ${row.here} | ${row.step} |`),
    '',
  ].join('\n');
}

const marks = ({ words = '', texts = [], packages = [] }: Difference): string =>
  [...words.split(' ').filter((word) => word !== ''), ...packages, ...texts]
    .map((mark) => `\`${mark}\``)
    .join(', ');
