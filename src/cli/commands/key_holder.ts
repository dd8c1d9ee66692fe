import { resolve } from 'node:path';
import { command } from '../command_line/command.ts';
import { readFileOfOwner } from '../files/files.ts';
import { listenForEnd } from '../service/running_service.ts';
import { usage } from '../words/failures.ts';
import { option } from '../words/options.ts';

export default command({
  summary:
    'Signs with keys of hardware modules and key management services, as the service orders.',
  reach: 'local',
  node: 26,
  options: {
    keys: option('FILE', 'File of the keys; see docs/external-keys.md.'),
    socket: option('PATH', 'Unix socket to listen at: KEYWRIGHT_KEY_HOLDER_SOCKET of the service.'),
  },
  examples: {
    'key-holder --keys keys.json --socket /run/keywright-keys/holder.sock':
      'Signs by orders of the service until Ctrl-C.',
  },
  run: async ({ options: { keys: file, socket }, terminal, output }) => {
    if (file === undefined || socket === undefined) {
      throw usage('key-holder needs --keys and --socket', 'keywright key-holder --help');
    }
    const end = listenForEnd(terminal);
    const { openLog } = await import('../../gateway/observability/log.ts');
    const { readSettings } = await import('../../settings/settings.ts');
    const { readHolderKeys } = await import('../../gateway/key_holder/keys_file.ts');
    const { serveKeyHolder } = await import('../../gateway/key_holder/serve_key_holder.ts');
    const { environment, clock } = terminal;
    const keys = readHolderKeys(new TextDecoder().decode(await readFileOfOwner(file)));
    const { log, end: endLog } = openLog(readSettings(environment, []));
    const path = resolve(terminal.workingDirectory, socket);
    const holder = await serveKeyHolder(path, keys, { environment, log, clock });
    output.thing(
      { Socket: path, Keys: String(keys.count) },
      { document: { socket: path }, ids: [path] },
    );
    await end.stop({ ...holder, skipLameDuck: () => false });
    await endLog();
  },
});
