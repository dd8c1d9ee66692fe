import { dirname, resolve } from 'node:path';
import { command } from '../command_line/command.ts';
import { section } from '../command_line/help.ts';
import { quoted } from '../files/files.ts';
import { listenForEnd } from '../service/running_service.ts';

/** The flag that lists every setting in place of starting the service. */
const allSettings = '--settings';
/** The settings that a first installation needs. */
const usualSettings: readonly string[] = [
  '--data-dir',
  '--host',
  '--port',
  '--public-url',
  '--database-url',
  '--root-key-provider',
  '--root-key-file',
  '--smtp-url',
  '--trusted-proxies',
  '--metrics-port',
  '--log-level',
  '--dashboard',
];

export default command({
  summary: 'Starts the service.',
  reach: 'local',
  takesAllFlags: true,
  node: 26,
  moreHelp: async () => {
    const { settingsHelp } = await import('../../settings/page.ts');
    const settings = settingsHelp();
    const usual = settings.filter(([flag]) => usualSettings.includes(flag));
    return [
      ...section('Usual settings, each also an environment variable', usual),
      '',
      `keywright serve ${allSettings} lists all ${settings.length} settings.`,
    ];
  },
  arguments: [
    {
      name: 'flags',
      summary: 'Settings: --port is KEYWRIGHT_PORT, see docs/configuration.md.',
      count: 'many',
    },
  ],
  examples: {
    serve: 'Starts it on http://localhost:8080, with its data in ./data.',
    'serve --port 9000 --data-dir /var/lib/keywright': 'Starts it elsewhere.',
  },
  run: async ({ arguments: { flags }, terminal, output }) => {
    if (flags.length === 1 && flags[0] === allSettings) {
      const { settingsHelp } = await import('../../settings/page.ts');
      output.raw(`${section('Settings', settingsHelp()).slice(1).join('\n')}\n`);
      return;
    }
    const end = listenForEnd(terminal);
    const { readSettings } = await import('../../settings/settings.ts');
    const { serve } = await import('../../gateway/serve.ts');
    const { environment, askSecret, silently } = terminal;
    const { signal } = end;
    const settings = readSettings(environment, flags);
    const service = await serve(settings, { environment, askSecret, silently, signal }).catch(
      (error) => {
        // The process was stopped before it received its root key.
        if (signal.aborted) return undefined;
        throw error;
      },
    );
    if (service === undefined) return;
    const { dashboard } = settings;
    terminal.announce(greeting({ ...service, dashboard }, terminal.program));
    await end.stop(service);
  },
});

function greeting(
  service: {
    pageUrl: string;
    organizationId: string;
    credentialsFile: string | undefined;
    inboxUrl: string | undefined;
    dashboard: boolean;
  },
  program: string,
): string {
  const { pageUrl, organizationId, credentialsFile, inboxUrl, dashboard } = service;
  return [
    '',
    `keywright is ready at ${pageUrl}`,
    `organization          ${organizationId}`,
    ...(inboxUrl === undefined ? [] : [`development inbox     ${inboxUrl} (no e-mails are sent)`]),
    ...(credentialsFile === undefined
      ? []
      : [
          `root credentials      ${credentialsFile} (keep it secret)`,
          `next                  ${program} wallet create first${optionFor(credentialsFile)}`,
        ]),
    ...(dashboard ? [`open                  ${new URL('/dashboard/', pageUrl).href}`] : []),
    '',
    '',
  ].join('\n');
}

/** Returns the `--credentials` option, or an empty text if commands find the file by default. */
function optionFor(credentialsFile: string): string {
  const isFound = dirname(credentialsFile) === resolve('data');
  return isFound ? '' : ` --credentials ${quoted(credentialsFile)}`;
}
