import { dirname, resolve } from 'node:path';
import { command } from '../command.ts';
import { quoted } from '../files.ts';

export default command({
  words: 'serve',
  summary: 'Starts the service.',
  reach: 'local',
  takesAllFlags: true,
  node: 26,
  moreHelp: async () => {
    const { settingsHelp } = await import('../../settings_page.ts');
    return ['', 'Settings, each also an environment variable:', ...settingsHelp()];
  },
  arguments: [
    {
      name: 'flags',
      summary: 'Settings: --port is KEYWRIGHT_PORT, see docs/configuration.md.',
      count: 'many',
    },
  ],
  examples: [
    { type: 'serve', does: 'Starts it on http://127.0.0.1:8080, with its data in ./data.' },
    { type: 'serve --port 9000 --data-dir /var/lib/keywright', does: 'Starts it elsewhere.' },
  ],
  run: async ({ arguments: { flags }, terminal }) => {
    const stopped = Promise.withResolvers<void>();
    process.once('SIGTERM', () => {
      stopped.resolve();
      // A second signal does not wait for requests in flight.
      process.once('SIGTERM', () => process.exit(1));
    });
    terminal.signal.addEventListener('abort', () => stopped.resolve(), { once: true });
    const { readSettings } = await import('../../settings.ts');
    const { serve } = await import('../../gateway/serve.ts');
    const service = await serve(readSettings(terminal.environment, flags));
    terminal.err(greeting(service));
    await stopped.promise;
    await service.stop();
  },
});

function greeting(service: {
  baseUrl: string;
  organizationId: string;
  credentialsFile: string | undefined;
  inboxUrl: string | undefined;
}): string {
  const { baseUrl, organizationId, credentialsFile, inboxUrl } = service;
  return [
    '',
    `keywright is ready at ${baseUrl}`,
    `organization          ${organizationId}`,
    ...(inboxUrl === undefined ? [] : [`development inbox     ${inboxUrl} (no e-mails are sent)`]),
    // The first signature is made with these.
    ...(credentialsFile === undefined
      ? []
      : [
          `root credentials      ${credentialsFile} (keep it secret)`,
          `first signature       ${variableFor(credentialsFile)}npm run --silent example`,
        ]),
    '',
    '',
  ].join('\n');
}

/** What the example needs to be told where the credentials are not where it looks by itself. */
function variableFor(credentialsFile: string): string {
  const directory = dirname(credentialsFile);
  return directory === resolve('data') ? '' : `KEYWRIGHT_DATA_DIR=${quoted(directory)} `;
}
