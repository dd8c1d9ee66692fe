import { join, relative } from 'node:path';
import { command } from '../command_line/command.ts';
import { section } from '../command_line/help.ts';
import { quoted } from '../files/files.ts';
import { listenForEnd } from '../service/running_service.ts';
import type { Terminal } from '../terminal/terminal.ts';

export default command({
  summary: 'Starts a service for development, with people, wallets and policies in it.',
  reach: 'local',
  takesAllFlags: true,
  node: 26,
  moreHelp: async () => {
    const { devFlags } = await import('../../dev/options.ts');
    const rows = devFlags.map(({ flag, sentence }) => [flag, sentence] as const);
    return [...section('Its own flags', rows), '', 'Further flags are those of keywright serve.'];
  },
  arguments: [
    {
      name: 'flags',
      summary: 'Its own flags, and settings of serve: --port is KEYWRIGHT_PORT.',
      count: 'many',
    },
  ],
  examples: {
    dev: 'Starts it on http://localhost:8080, with its data in ./.keywright.',
    'dev --fresh --port 9000': 'Deletes the earlier data and starts on another port.',
    'dev --seed demo.seed': 'Makes the demo with the same addresses each time.',
  },
  run: async ({ arguments: { flags }, terminal }) => {
    const end = listenForEnd(terminal);
    const { readDevOptions } = await import('../../dev/options.ts');
    const { startDev } = await import('../../dev/dev.ts');
    const service = await startDev(readDevOptions(terminal.environment, flags));
    terminal.announce(`${greeting(service, terminal).join('\n')}\n`);
    await end.stop(service);
  },
});

/** Returns the greeting, at most eight lines. */
function greeting(
  service: {
    readonly pageUrl: string;
    readonly inboxUrl: string | undefined;
    readonly organizationId: string;
    readonly folder: string;
    readonly people: readonly string[];
  },
  { workingDirectory, program }: Pick<Terminal, 'workingDirectory' | 'program'>,
): readonly string[] {
  const { inboxUrl = '', organizationId, folder, people } = service;
  const inbox = new URL(inboxUrl);
  const keyFile = join(relative(workingDirectory, folder), 'root-credentials.json');
  const waits = people.length > 1 ? '; a payment of alice waits for one of the others' : '';
  return [
    `keywright dev is ready at ${service.pageUrl}`,
    `dashboard       ${new URL('/dashboard/', service.pageUrl).href}`,
    `inbox           ${inbox.href}`,
    `organization    ${organizationId}`,
    `people          ${people.join(', ')}${waits}`,
    `key file        ${keyFile}`,
    `next            ${program} wallet list --credentials ${quoted(keyFile)}`,
    'For development only: programs on this machine can read these keys and the inboxes.',
  ];
}
