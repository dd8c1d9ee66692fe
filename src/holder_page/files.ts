// The files of the page for passkeys: its HTML, its style and its modules.

import { browserModules, modulePath, type PageFile } from '../gateway/base/browser_modules.ts';

const program = 'holder_page/program';
const modules = [program, ...['sealed_secret', 'hpke', 'bytes'].map((name) => `client/${name}`)];

/** Returns the files of the page by their paths. */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  return new Map<string, PageFile>([
    ['/', { type: 'text/html; charset=utf-8', text: page }],
    ['/style.css', { type: 'text/css; charset=utf-8', text: style }],
    ...(await browserModules(modules)),
  ]);
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Passkey · Keywright</title>
<link rel="stylesheet" href="/style.css">
<script type="module" src="${modulePath(program)}"></script>
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
