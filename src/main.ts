#!/usr/bin/env node
// The command line: `keywright serve|keys|policy|webhooks|version|help`. Everything of ours is
// imported after the first check, so that an older Node says what is wrong instead of failing on
// what it does not know.

import { dirname, resolve } from 'node:path';

if (Number(process.versions.node.split('.')[0]) < 26) {
  process.stderr.write(
    `keywright needs Node 26 or later and was started with ${process.version}: use npm start\n`,
  );
  process.exit(1);
}

const commands: Readonly<Record<string, (flags: readonly string[]) => Promise<void>>> = {
  serve: serveUntilStopped,
  keys: printKeys,
  policy: tryPolicies,
  webhooks: manageWebhooks,
  version: printVersion,
  help: printHelp,
  '--version': printVersion,
};

const [command = 'help', ...flags] = process.argv.slice(2);
const run = namedIn([command, ...flags]);
if (run === undefined) {
  stopWith(`unknown command ${command}: expected serve, keys, policy, webhooks, version or help`);
} else {
  try {
    await run(flags);
  } catch (error) {
    await explain(error);
  }
}

/** Whoever asks for help, at whatever place, wants nothing to be started. */
function namedIn(words: readonly string[]) {
  if (words.includes('--help') || words.includes('-h')) return printHelp;
  return Object.hasOwn(commands, command) ? commands[command] : undefined;
}

async function serveUntilStopped(flags: readonly string[]): Promise<void> {
  const asked = Promise.withResolvers<void>();
  for (const signal of ['SIGTERM', 'SIGINT']) {
    // The first signal lets requests finish; whoever sends a second one does not want to wait.
    process.once(signal, () => {
      asked.resolve();
      process.once(signal, () => process.exit(1));
    });
  }
  const { readSettings } = await import('./settings.ts');
  const settings = readSettings(process.env, flags);
  const { serve } = await import('./gateway/serve.ts');
  const service = await serve(settings);
  process.stderr.write(greeting(service));
  await asked.promise;
  await service.stop();
  process.exit(0);
}

async function printKeys(flags: readonly string[]): Promise<void> {
  const { readSettings } = await import('./settings.ts');
  const { runKeysCommand } = await import('./keys_command.ts');
  runKeysCommand(readSettings(process.env, flags), (text) => process.stdout.write(text));
}

async function tryPolicies(words: readonly string[]): Promise<void> {
  const { runPolicyCommand } = await import('./policy_command.ts');
  process.exitCode = await runPolicyCommand(words, (line) => process.stdout.write(line));
}

async function manageWebhooks(words: readonly string[]): Promise<void> {
  const { runWebhooksCommand } = await import('./gateway/webhooks/rotate_command.ts');
  process.exitCode = await runWebhooksCommand(words, process.env, (line) =>
    process.stdout.write(line),
  );
}

async function printVersion(): Promise<void> {
  process.stdout.write(`keywright ${await versionOfPackage()}\n`);
}

async function printHelp(): Promise<void> {
  const { settingsHelp } = await import('./settings_page.ts');
  process.stdout.write(
    [
      'keywright: open, self-hosted wallet and key management',
      '',
      '  keywright serve [flags]   starts the service',
      '  keywright keys [flags]    prints the public keys of the service, for clients to pin',
      '  keywright policy test F   tries policies offline, see docs/policy-language.md',
      '  keywright webhooks rotate-key [--immediately]   publishes another key for webhooks, see docs/webhooks.md',
      '  keywright version         prints the version',
      '  keywright help            prints this text',
      '',
      'flags of serve and keys, each also an environment variable (--data-dir is KEYWRIGHT_DATA_DIR):',
      '',
      ...settingsHelp(),
      '',
    ].join('\n'),
  );
}

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

/** What the example needs to be told where the credentials do not lie where it looks by itself. */
function variableFor(credentialsFile: string): string {
  const directory = dirname(credentialsFile);
  if (directory === resolve('data')) return '';
  // As a shell reads it.
  return `KEYWRIGHT_DATA_DIR='${directory.replaceAll("'", "'\\''")}' `;
}

/** A sentence for what the operator can mend; everything in full for what is a fault of ours. */
async function explain(error: unknown): Promise<void> {
  const { SettingsError } = await import('./settings.ts');
  const { UnusableDataError } = await import('./store/unusable_data_error.ts');
  if (error instanceof SettingsError || error instanceof UnusableDataError) {
    stopWith(error.message);
  } else if (error instanceof Error && 'syscall' in error && error.syscall === 'listen') {
    stopWith(`cannot listen: ${error.message}`);
  } else {
    stopWith(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function stopWith(message: string): void {
  process.stderr.write(`keywright: ${message}\n`);
  process.exitCode = 1;
}

async function versionOfPackage(): Promise<string> {
  const { default: manifest } = await import('../package.json', { with: { type: 'json' } });
  return manifest.version;
}
