import { resolve } from 'node:path';
import { command } from '../../command_line/command.ts';
import { dataOptions } from '../../command_line/data_options.ts';
import { usage } from '../../words/failures.ts';
import { flag, option } from '../../words/options.ts';

export default command({
  summary: 'Exports all data and keys of an organization into one encrypted archive.',
  reach: 'local',
  node: 26,
  arguments: [{ name: 'id', summary: 'Id of the organization.' }],
  options: {
    to: option('FILE', 'The new archive.'),
    recipients: option(
      'FILE',
      'File with one age recipient a line; each recipient can open the archive.',
    ),
    'root-key': flag('Also seals the archive to the root key, which shares can restore.'),
    'sub-organizations': flag('Includes all sub-organizations.'),
    'without-activities': flag('Excludes the activities.'),
    ...dataOptions,
  },
  examples: {
    'export organization 01890f3e-3b5c-7cc0-98c4-dc0c0c07398f --to exit.age --recipients recipients.txt':
      'Writes ./exit.age; with SQLite the service must be stopped.',
  },
  run: async ({ arguments: { id }, options, output, terminal }) => {
    const { to, recipients } = options;
    if (to === undefined) throw usage('--to is missing', 'keywright export organization --help');
    if (recipients === undefined && options['root-key'] !== true) {
      throw usage('--recipients or --root-key is required to open the archive later');
    }
    const at = (path: string) => resolve(terminal.workingDirectory, path);
    const { exportOrganization } = await import('../../../export/command.ts');
    const { readRecipients } = await import('../../custody/share_files.ts');
    const { settingsOfData } = await import('../../custody/data_settings.ts');
    const { default: manifest } = await import('../../../../package.json', {
      with: { type: 'json' },
    });
    const exported = await exportOrganization(settingsOfData(terminal, options), {
      organizationId: id.toLowerCase(),
      to: at(to),
      recipients: recipients === undefined ? [] : readRecipients(at(recipients)),
      opensByRootKey: options['root-key'] === true,
      includesSubOrganizations: options['sub-organizations'] === true,
      includesActivities: options['without-activities'] !== true,
      operator: terminal,
      service: manifest.version,
      now: terminal.clock(),
    });
    const { bytes, digest, lines } = exported;
    const file = at(to);
    output.thing(
      {
        Archive: file,
        Bytes: String(bytes),
        'SHA-256': digest,
        Lines: Object.entries(lines)
          .map(([kind, count]) => `${count} ${kind}`)
          .join(', '),
        Next: 'Check it with recover.mjs on another machine before you rely on it.',
      },
      { document: { file, bytes, sha256: digest, lines }, ids: [file] },
    );
  },
});
