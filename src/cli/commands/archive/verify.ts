import type { EndKnownBy, Verified } from '../../../archive/command.ts';
import { command } from '../../command_line/command.ts';
import { option } from '../../words/options.ts';
import { archiveOptions, settingsOf } from './options.ts';

const ends: Readonly<Record<EndKnownBy, string>> = {
  database: 'the segments that the database recorded',
  digest: 'the digest of --last is there; later files may be missing',
  nothing: 'not known: files may be missing, compare with a database or by --last',
};

/** Returns a line about the organizations that archived activities created. */
function organizationsText(organizations: Verified['organizations']): string {
  if (organizations === undefined) return 'not checked: there is no database';
  const { created, deleted, missing } = organizations;
  const lost = missing === 0 ? '' : `, ${missing} not in this database, which is older`;
  return `${created} created, ${deleted} of them deleted${lost}`;
}

export default command({
  summary: 'Checks the files of an archive, including whether files are missing at its end.',
  reach: 'local',
  node: 26,
  arguments: [{ name: 'dir', summary: 'Folder of the archive.' }],
  options: {
    'public-key': option(
      'HEX',
      'Key of the role archivist, as keywright keys prints it; no row is opened then.',
    ),
    last: option('HEX', 'Digest that an earlier run printed. The folder must still have its file.'),
    ...archiveOptions,
  },
  examples: {
    'archive verify archive':
      'Checks signatures and order against the database, and opens each row with the root key.',
  },
  run: async ({ arguments: { dir }, options, terminal, output }) => {
    const { runVerify } = await import('../../../archive/command.ts');
    const settings = await settingsOf(terminal, options);
    const publicKey = options['public-key'];
    const { last } = options;
    const found = await runVerify(settings, { from: dir, publicKey, last, operator: terminal });
    const { segments, activities, opened, lastManifestDigest, endKnownBy } = found;
    const rows = opened ? 'opened' : 'not opened';
    const organizations = organizationsText(found.organizations);
    output.thing(
      {
        segments,
        activities,
        rows,
        organizations,
        end: ends[endKnownBy],
        last: lastManifestDigest,
      },
      { document: found, ids: [lastManifestDigest] },
    );
  },
});
