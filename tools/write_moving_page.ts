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
    '## Moving an organization',
    '',
    'Three commands move the rows of one organization to another, over the API of both. `--from` names the profile of the organization to read, and `--profile` that of the target. The source is only read.',
    '',
    '| command | does |',
    '|---|---|',
    '| `keywright migrate plan --from OLD --profile NEW` | lists each row: `create`, `done`, `differs` or `by hand` |',
    '| `keywright migrate run --from OLD --profile NEW` | creates user tags, users with their API keys, policies and webhooks; run it again after an interruption or a vote |',
    '| `keywright migrate verify --from OLD --profile NEW` | lists the rows that are not `done`, and ends with 9 if there are any |',
    '',
    '- A row counts as moved if the target has a row of the same kind and name. Its members are compared, and it `differs` if one is missing.',
    '- Policies are rewritten to the ids of the target. A policy that names a wallet or a private key waits until the target has one of that name.',
    '- An API key keeps the end of its life. Keys of sessions stay behind. Passkeys and OAuth identities are registered again by their users.',
    '- Wallets and private keys leave a service only by an export that their owner approves. Export each there, and import it here by `keywright import`.',
    '- Sub-organizations, the root quorum, limits and settings are not moved.',
    '',
  ].join('\n');
}

const marks = ({ words = '', texts = [], packages = [] }: Difference): string =>
  [...words.split(' ').filter((word) => word !== ''), ...packages, ...texts]
    .map((mark) => `\`${mark}\``)
    .join(', ');
