// Compiles TypeScript to JavaScript, file by file. Node's type stripping replaces types by blanks, so a
// packed file keeps the lines and columns of its source. Lines of comments are empty, because a process keeps
// the text of every module in memory.

import assert from 'node:assert/strict';
import { stripTypeScriptTypes } from 'node:module';
import { transformSync } from 'esbuild';

/** Matches specifiers of own files in imports and exports. */
const ownSpecifiers = /((?:\bfrom|\bimport)\s*\(?\s*)'(\.{1,2}\/[^'\n]+)\.ts'/g;

/** Returns the JavaScript of a source file, whose imports of `./x.ts` name `./x.js`. */
export function compiled(source: string): string {
  return withCompiledNames(withoutComments(stripTypeScriptTypes(source)));
}

/** Matches lines with only a comment. */
const commentLines = /^[ \t]*(?:\/\/[^\n]*|\/\*\*(?:[^*]|\*(?!\/))*\*\/)[ \t]*$/gm;

/** Returns the script with empty lines in place of comments, unless that changes more than comments. */
function withoutComments(script: string): string {
  const shorter = script
    .replace(commentLines, (comment) => comment.replace(/[^\n]+/g, ''))
    .replace(/[ \t]+$/gm, '');
  const isSame = shorter === script || tokensOf(shorter) === tokensOf(script);
  return isSame ? shorter : script;
}

/** Returns the script without blanks and comments. */
const tokensOf = (script: string): string =>
  transformSync(script, { minifyWhitespace: true, legalComments: 'none' }).code;

/** Returns a module or its types, whose imports of `./x.ts` name `./x.js`. */
export function withCompiledNames(text: string): string {
  return text.replaceAll(ownSpecifiers, "$1'$2.js'");
}

/** Returns the path of a source file in a package. */
export const compiledPath = (path: string): string => path.replace(/\.ts$/, '.js');

/** Returns the own files that a module imports, relative to the root of the project or package. */
export function importsOf(path: string, text: string): readonly string[] {
  const named = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g);
  return [...named].map(([, specifier = '']) =>
    new URL(specifier, `file:///${path}`).pathname.slice(1),
  );
}

/**
 * Throws unless each own file that a compiled module imports is among `paths`. Both are relative to the
 * root of the package.
 */
export function checkImports(path: string, script: string, paths: ReadonlySet<string>): void {
  for (const target of importsOf(path, script)) {
    assert(paths.has(target), `${path} imports ${target}, which the package does not have`);
  }
}
