import { command } from '../../command_line/command.ts';
import { installed } from '../../dashboard/installed_dashboard.ts';
import { warnOfPlainHttp } from '../../profiles/plain_http.ts';
import { findServiceUrl } from '../../profiles/profiles.ts';
import { usage } from '../../words/failures.ts';
import { flag, option } from '../../words/options.ts';

export default command({
  summary:
    'Serves the dashboard of this package on this machine, for a service elsewhere, and opens it.',
  reach: 'reads',
  node: 26,
  options: {
    port: option('PORT', 'Port to listen at. Default: any free port.'),
    'no-open': flag('Opens no browser and only prints the address.'),
    from: option('FOLDER', 'Folder of the built files. Default: the folder of this package.'),
  },
  examples: {
    'dashboard --url https://keys.example':
      'Opens pages that the service cannot alter; sign in there by key file.',
  },
  run: async ({ options, common, output, terminal }) => {
    const port = portIn(options.port);
    const build = await installed(options.from);
    const { url: apiUrl, organizationId } = await findServiceUrl(common, terminal);
    warnOfPlainHttp(apiUrl, output);
    const { serveApart } = await import('../../../gateway/dashboard/serve_apart.ts');
    const served = await serveApart(build, { apiUrl, organizationId, port });
    const { url } = served;
    // Other users of the machine can read process arguments, so the secret in the address works only once. If
    // another user opens the address first, that user gets only public files, and this user gets an error.
    if (!options['no-open']) await terminal.openBrowser?.(url);
    output.event(`${url} shows ${apiUrl}, once in one browser; end with Ctrl+C.`, { url, apiUrl });
    await new Promise((resolve) => {
      if (terminal.signal.aborted) resolve(undefined);
      terminal.signal.addEventListener('abort', resolve, { once: true });
    });
    await served.stop();
  },
});

function portIn(text = '0'): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw usage(`"${text}" is not a port: expected a number from 1 to 65535`);
}
