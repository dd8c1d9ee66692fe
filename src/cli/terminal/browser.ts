// Opens the user's browser. Other users of the machine can read process arguments, so an address may contain
// only a secret that works once and gives no access to data of the user.

type Environment = Readonly<Record<string, string | undefined>>;

const displays = ['DISPLAY', 'WAYLAND_DISPLAY'];

/**
 * Returns the program that opens an address, with its arguments before the address. Returns undefined without
 * a display, because a text browser would then open in this terminal.
 */
export function browserOpener(
  platform: NodeJS.Platform,
  environment: Environment,
): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open'];
  // The program behind `start` of cmd.exe, without a shell that interprets the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return displays.some((name) => environment[name]) ? ['xdg-open'] : undefined;
}

/** Opens an address in a browser if the machine has a display. Ignores errors. */
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
