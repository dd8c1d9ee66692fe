import { hostname } from 'node:os';
import type { Client } from '../../client/connect.ts';
import { apiKey, connect } from '../../client/index.ts';
import { command } from '../command_line/command.ts';
import { newPassphraseOptions } from '../keys/new_passphrase.ts';
import { organizationOf } from '../login/who.ts';
import { type LoggedIn, type LoginOptions, loginWithFile } from '../login/with_file.ts';
import { pinsOfService } from '../profiles/pins.ts';
import { warnOfPlainHttp } from '../profiles/plain_http.ts';
import { checkedName, readProfiles } from '../profiles/profiles.ts';
import { boundedFetch, interruptible } from '../service/bounded_fetch.ts';
import { lifetimeSeconds } from '../service/new_key.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { usage } from '../words/failures.ts';
import { option } from '../words/options.ts';

const usualProfile = 'default';
const usualLifetime = '30d';

export default command({
  summary: 'Creates a key on this machine, registers it, and stores a profile.',
  // The key file contains the address, so this command takes no flags of a profile.
  reach: 'local',
  options: {
    with: option('FILE', 'Key file to register the new key with.'),
    email: option('ADDRESS', 'Your address, to which a code is sent.'),
    proxy: option(
      'ID',
      'Id of the onboarding proxy configuration, if the service does not report it.',
    ),
    profile: option('NAME', `Profile that stores the key. Default: ${usualProfile}.`),
    url: option('URL', 'Address of the service, if the file has none.'),
    organization: option('ID', 'Organization, if the file has none.'),
    ...newPassphraseOptions,
    'key-passphrase-file': option(
      'FILE',
      'File of the passphrase of the key that --with names. Default: a prompt.',
    ),
    expires: option('DURATION', `Lifetime of the new key. Default: ${usualLifetime}.`),
  },
  examples: {
    'login --with data/root-credentials.json':
      'Stores a new key that expires after 30 days. Later commands do not need the file.',
    'login --with ops.json --profile ops --expires 8h': 'Stores another profile.',
    'login --with ops.json --profile sealed --new-passphrase-file passphrase.txt':
      'Seals the new key with a passphrase; --passphrase prompts for it.',
    login: 'Prints a link, and waits until a user accepts the key in the dashboard.',
    'login --email carol@example.com': 'Asks for the code that is sent there.',
  },
  run: async ({ options, output, terminal, onConnect }) => {
    const { with: file, email, url, organization } = options;
    if (file !== undefined && email !== undefined) {
      throw usage('give only one of --with and --email', 'keywright login --help');
    }
    const name = checkedName(options.profile ?? usualProfile);
    const lifetime = options.expires ?? usualLifetime;
    const loginOptions = {
      profileName: name,
      url,
      organization,
      keyName: `keywright on ${hostname()}`,
      seconds: lifetimeSeconds(lifetime) ?? '',
      seal: options,
      passphraseFile: options['key-passphrase-file'],
      json: output.json,
      onConnect: (client: Client) => {
        warnOfPlainHttp(client.url, output);
        onConnect(client);
      },
    };
    const { made, who, ...place } =
      file === undefined
        ? await loginWithoutKey(loginOptions, { email, lifetime, proxy: options.proxy }, terminal)
        : await loginWithFile(file, loginOptions, terminal);
    // If another profile has pinned the keys of this service, require the same keys.
    const pinnedKeys = place.pinnedKeys ?? pinsOfService(await readProfiles(terminal), place);
    const pinned = pinnedKeys === undefined ? {} : { pinnedKeys };
    await made.keep({ ...place, ...pinned, userName: who.username });
    output.thing(
      {
        Profile: name,
        User: who.username,
        Organization: who.organizationName,
        Service: place.url,
        Key: made.file,
      },
      { document: { profile: name, ...who, url: place.url, keyFile: made.file }, ids: [name] },
    );
    if (file !== undefined) {
      output.note(`Move ${file} to a safe place: this machine no longer needs it.`);
    }
  },
});

type WithoutKey = {
  readonly email: string | undefined;
  readonly lifetime: string;
  readonly proxy: string | undefined;
};

/** Logs in by a code, or by the approval of a signed-in user. */
async function loginWithoutKey(
  loginOptions: LoginOptions,
  { email, lifetime, proxy }: WithoutKey,
  terminal: Terminal,
): Promise<LoggedIn> {
  const { pollForApproval, maximumPairedSeconds } = await import('../login/pairing.ts');
  if (email === undefined && Number(loginOptions.seconds) > maximumPairedSeconds) {
    throw usage(
      'a key that the dashboard pairs expires within 365 days',
      'Give a shorter --expires, or register it with --with FILE.',
    );
  }
  const { loginPlace } = await import('../login/place.ts');
  const { loginKey } = await import('../login/login_key.ts');
  const place = await loginPlace({ ...loginOptions, proxy }, terminal);
  const { url, organizationId } = place;
  const target = { baseUrl: url, organizationId };
  const made = await loginKey(terminal, loginOptions.profileName, target, loginOptions.seal);
  const key = await apiKey(made.key);
  const serviceKeys = pinsOfService(await readProfiles(terminal), place);
  const client = connect({
    url,
    organizationId,
    stamp: key,
    ...interruptible(boundedFetch, terminal.signal),
    ...(serviceKeys === undefined ? {} : { serviceKeys }),
  });
  loginOptions.onConnect(client);
  const { keyName: name, seconds } = loginOptions;
  let isShown = false;
  const onShown = () => {
    isShown = true;
  };
  try {
    if (email === undefined) {
      const pairing = { publicKey: key.publicKey, name, lifetime, seconds };
      const who = await pollForApproval(client, pairing, terminal, onShown);
      return { made, who, url, organizationId: organizationOf(who) };
    }
    const { sessionByCode } = await import('../login/by_code.ts');
    await sessionByCode(client, place, { email, key, seconds, onShown }, terminal);
  } catch (error) {
    if (!isShown) await made.drop();
    throw error;
  }
  const who = await client.query('whoami');
  const pinnedKeys = await client.serviceKeys();
  return { made, who, url, organizationId: organizationOf(who), pinnedKeys };
}
