// The frames of a service: two pages, their style and their modules.

import { browserModules, modulePath, type PageFile } from '../base/browser_modules.ts';
import { type Frames, framePrefix } from './routes.ts';

/** The modules that the programs import, also indirectly. */
const imported = [
  ...['channel', 'key_formats', 'styles'].map((name) => `frame_pages/${name}`),
  ...['bundles', 'bytes', 'der', 'errors', 'hpke', 'p256', 'read_der'].map(
    (name) => `client/${name}`,
  ),
];

/** Reads the files of the frames that applications of these origins may embed. */
export async function createFrames(origins: readonly string[]): Promise<Frames> {
  const programs = Object.keys(pages).map((name) => `frame_pages/${name}`);
  const modules = await browserModules([...programs, ...imported]);
  const files = new Map<string, PageFile>([
    ...Object.entries(pages).map(([name, body]) => [framePrefix + name, page(name, body)] as const),
    [`${framePrefix}style.css`, { type: 'text/css; charset=utf-8', text: style }],
    ...[...modules].map(([path, file]) => [framePrefix + path.slice(1), file] as const),
  ]);
  return { origins, files };
}

/** The bodies of the pages, by the names of their programs. */
const pages: Readonly<Record<string, string>> = {
  export: `<p id="secret"></p>
<p id="with-passphrase" hidden><span>Passphrase</span> <span id="passphrase"></span></p>`,
  import: `<label for="plaintext">Mnemonic or private key</label>
<textarea id="plaintext" autocapitalize="none" autocomplete="off" spellcheck="false" maxlength="2000"></textarea>
<p id="with-passphrase" hidden><label for="passphrase">Passphrase</label>
<input id="passphrase" type="password" autocomplete="off" maxlength="1000"></p>`,
};

/** Returns the address of a module in a page. */
const addressOf = (name: string): string => framePrefix + modulePath(name).slice(1);

const page = (name: string, body: string): PageFile => ({
  type: 'text/html; charset=utf-8',
  text: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Keywright</title>
<link rel="stylesheet" href="${framePrefix}style.css">
${imported.map((each) => `<link rel="modulepreload" href="${addressOf(each)}">`).join('\n')}
<script type="module" src="${addressOf(`frame_pages/${name}`)}"></script>
</head>
<body>
${body}
<p id="notice" role="status"></p>
</body>
</html>
`,
});

const style = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
label { position: absolute; clip-path: inset(50%); }
#with-passphrase label { position: static; clip-path: none; }
#secret, #passphrase { margin: 0; overflow-wrap: anywhere; user-select: all; }
textarea, input { box-sizing: border-box; width: 100%; border: none; font: inherit; }
textarea { height: 8rem; resize: none; }
p:empty, [hidden] { display: none; }
`;
