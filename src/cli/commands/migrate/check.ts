import { resolve } from 'node:path';
import { command } from '../../command_line/command.ts';
import { findDifferences } from '../../migration/find_differences.ts';
import { usage } from '../../words/failures.ts';

export default command({
  summary: 'Lists differences that affect an application of the API family.',
  reach: 'local',
  arguments: [{ name: 'dir', summary: 'Folder of the application, with its package.json.' }],
  examples: {
    'migrate check .': 'Prints each difference, its places in the sources, and the next step.',
  },
  run: async ({ arguments: { dir }, output, terminal }) => {
    const { findings, files, leftOut } = await findDifferences(
      resolve(terminal.workingDirectory, dir),
    ).catch((error) => {
      throw unreadable(error, dir);
    });
    output.list(
      findings.map(({ difference: { title, here, step }, places, count }) => ({
        Difference: title,
        Here: here,
        Next: step,
        Places:
          count > places.length
            ? `${places.join(' ')} and ${count - places.length} more`
            : places.join(' '),
      })),
      {
        document: {
          files,
          leftOut,
          differences: findings.map(({ difference: { id, title, here, step }, places, count }) => ({
            id,
            title,
            here,
            step,
            count,
            places,
          })),
        },
        ids: findings.map(({ difference }) => difference.id),
        empty: `Nothing in ${files} files is known to differ.`,
      },
    );
    for (const reason of leftOut) output.note(`left out: ${reason}`);
  },
});

function unreadable(error: unknown, dir: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES') return error;
  return usage(`cannot read the folder ${dir}`, 'Name the folder of the application.');
}
