import { command } from '../command_line/command.ts';
import { listenForEnd } from '../service/running_service.ts';

export default command({
  summary: 'Starts the enclaves of a service that runs as another user.',
  reach: 'local',
  takesAllFlags: true,
  node: 26,
  arguments: [
    {
      name: 'flags',
      summary: 'Settings: --enclave-socket is KEYWRIGHT_ENCLAVE_SOCKET, see docs/configuration.md.',
      count: 'many',
    },
  ],
  examples: {
    enclave: 'Starts an enclave for each connection to KEYWRIGHT_ENCLAVE_SOCKET.',
  },
  run: async ({ arguments: { flags }, terminal }) => {
    const end = listenForEnd(terminal);
    const { readSettings } = await import('../../settings/settings.ts');
    const { serveEnclaves } = await import('../../gateway/enclave/serve_enclaves.ts');
    const { openLog } = await import('../../gateway/observability/log.ts');
    const settings = readSettings(terminal.environment, flags);
    const { environment, askSecret, silently } = terminal;
    const { signal } = end;
    const { log, end: endLog } = openLog(settings);
    const parts = { environment, askSecret, silently, signal, log };
    const server = await serveEnclaves(settings, parts).catch((error) => {
      // The process was stopped before it received its root key.
      if (signal.aborted) return undefined;
      throw error;
    });
    if (server !== undefined) await end.stop({ ...server, skipLameDuck: () => false });
    await endLog();
  },
});
