// Writes the page of differences for teams that move an application to this service, from the table of
// `migrate check`.

import { type Difference, differences } from '../src/cli/migration/differences.ts';

/** Returns the text of `docs/moving.md`. */
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
    'Three commands move the rows of one organization to another, over the API of both. `--from` names the profile of the organization to read, and `--profile` that of the target. Without `--keys`, the source is only read.',
    '',
    '| command | does |',
    '|---|---|',
    '| `keywright migrate plan --from OLD --profile NEW` | lists each row: `create`, `waits`, `done`, `differs` or `by hand`; prints the digest of the source |',
    '| `keywright migrate run --from OLD --profile NEW --reviewed DIGEST` | creates the rows; ends with 3 if rows wait for others, and with 4 if some were refused |',
    '| `keywright migrate run --from OLD --profile NEW --dry-run` | has the target decide on each creation, without effects |',
    '| `keywright migrate run --from OLD --profile NEW --keys --reviewed DIGEST` | also moves wallets and private keys |',
    '| `keywright migrate verify --from OLD --profile NEW --keys` | lists the rows that are not `done`, and ends with 9 if there are any |',
    '',
    '- **A run creates only the reviewed rows.** It reads the source again, and ends with 9 if the digest differs from that of the plan. The digest covers users with their keys, tags, policies, webhooks, accounts, keys and sub-organizations. `migrate plan --json` shows the request that creates each row.',
    '- A row counts as moved if the target has a row of the same kind and name. Its members are compared, and it `differs` if one is missing. A wallet or a private key counts as moved if the target has its addresses or its public key.',
    '- Policies are rewritten to the ids of the target. A policy that names a wallet or a private key waits until the target has it. The note names behavior that differs here.',
    '- An API key keeps its expiry. Keys of sessions are not moved. Passkeys and OAuth identities are registered again by their users.',
    '- The run does not change the root quorum, and moves no limits, settings and secrets. The plan lists them with the reason.',
    '',
    '### Keys',
    '',
    'With `--keys`, the target creates a key for each import, and the source exports to that key. The command passes the ciphertext on, so no plain key and no recovery phrase reaches this machine. It trusts no key of the target that the pinned key of the service did not sign.',
    '',
    '- The source decides on each export by its own policies. An export that needs votes is a row that `waits`, with the names of the voters if the source reports them. Run the command again after the votes.',
    '- At most eight wallets and eight private keys wait at a time. A target is valid for two days; after that, the run requests the export again.',
    '- The command compares each address after the import, and reports a difference with both addresses.',
    '- The services keep the only record of a move: the command writes no file. A run that was interrupted at any step continues with the next one.',
    '- The keys stay in the source too. Delete them there after `verify`.',
    '',
    '### Sub-organizations',
    '',
    'A run of the parent creates each sub-organization with the users of its root quorum who have an API key without an end. If too few of them have one, the row is `by hand`: the users sign up again. The parent cannot export the keys of a sub-organization. So its owners run `keywright migrate run --keys` there, with their own profile on both sides.',
    '',
  ].join('\n');
}

const marks = ({ words = '', texts = [], packages = [] }: Difference): string =>
  [...words.split(' ').filter((word) => word !== ''), ...packages, ...texts]
    .map((mark) => `\`${mark}\``)
    .join(', ');
