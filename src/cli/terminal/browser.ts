// Opens the browser of the user. Other users of the machine can read the arguments of a process. An address
// opened here may contain only a secret that works once and opens nothing that belongs to the user.

type Environment = Readonly<Record<string, string | undefined>>;

const displays = ['DISPLAY', 'WAYLAND_DISPLAY'];

/**
 * Returns the program that opens an address in a browser, with the words before the address. Undefined
 * without a display: it would open a browser of texts inside of this terminal.
 */
export function browserOpener(
  platform: NodeJS.Platform,
  environment: Environment,
): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open'];
  // The program that `start` of cmd.exe calls, without a shell that reads the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return displays.some((name) => environment[name]) ? ['xdg-open'] : undefined;
}

/** Opens an address in a browser, unless the machine has no display. Ignores that there is no browser. */
export async function openBrowser(url: string, environment: Environment): Promise<void> {
  const opener = browserOpener(process.platform, environment);
  if (opener === undefined) return;
  const [program, ...words] = opener;
  const { spawn } = await import('node:child_process');
  const options = { detached: true, stdio: 'ignore' } as const;
  spawn(program, [...words, url], options)
    .on('error', () => undefined)
    .unref();
}
