// The files of the page. Browsers load the modules of this package, compiled only in a checkout.

import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const sources = join(import.meta.dirname, '..');
/** `.js` in a package, `.ts` in a checkout. */
const extension = extname(import.meta.filename);
const program = `/holder_page/program${extension}`;
const modules = [
  program,
  ...['sealed_secret', 'hpke', 'bytes'].map((name) => `/client/${name}${extension}`),
];

type File = { readonly type: string; readonly text: string };

/** Returns the files of the page by their paths. */
export async function pageFiles(): Promise<ReadonlyMap<string, File>> {
  const files = new Map<string, File>([
    ['/', { type: 'text/html; charset=utf-8', text: page }],
    ['/style.css', { type: 'text/css; charset=utf-8', text: style }],
  ]);
  for (const path of modules) {
    const text = readFileSync(join(sources, path), 'utf8');
    files.set(path, { type: 'text/javascript; charset=utf-8', text: await scriptOf(text) });
  }
  return files;
}

async function scriptOf(text: string): Promise<string> {
  if (extension === '.js') return text;
  const { stripTypeScriptTypes } = await import('node:module');
  return stripTypeScriptTypes(text);
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Passkey · Keywright</title>
<link rel="stylesheet" href="/style.css">
<script type="module" src="${program}"></script>
</head>
<body>
<main>
<h1>Passkey</h1>
<form id="enter">
<label for="code">Code in the terminal</label>
<input id="code" autocapitalize="characters" autocomplete="off" spellcheck="false" maxlength="16" required autofocus>
<button>Continue</button>
</form>
<dl id="task" hidden></dl>
<button id="act" type="button" hidden></button>
<p id="status" role="status"></p>
</main>
</body>
</html>
`;

const style = `:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 28rem; margin: 3rem auto; padding: 0 1rem; }
input, button { display: block; box-sizing: border-box; width: 100%; margin: .5rem 0; padding: .75rem; font: inherit; }
dt { opacity: .8; }
dd { margin: 0 0 .5rem; font-weight: 600; overflow-wrap: anywhere; }
[hidden] { display: none; }
`;
