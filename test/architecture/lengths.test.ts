import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesBelow, textOf } from './sources.ts';

/** The maximum length of a comment line, which Biome does not wrap. */
const maximumCommentColumns = 110;
/** The maximum number of lines of a function, including the line that opens its body. */
const maximumFunctionLines = 90;

test('a function can be read on one screen or two', () => {
  const long = filesBelow('src').flatMap((file) => {
    return functionsOf(textOf(file))
      .filter(({ lines }) => lines > maximumFunctionLines)
      .map(({ line, lines }) => `${file}:${line} has ${lines} lines`);
  });
  assert.deepEqual(long, [], `a function has at most ${maximumFunctionLines} lines`);
});

test('functions are found with the lines that they take', () => {
  const text =
    'export function a(\n  b: number,\n): number {\n  return b;\n}\nconst c = () => {\n};\n';
  assert.deepEqual(functionsOf(text), [
    { line: 3, lines: 3 },
    { line: 6, lines: 2 },
  ]);
});

test('comments are as wide as code', () => {
  const folders = ['src', 'test', 'tools', 'bench', 'examples'];
  const files = folders.flatMap(filesBelow).filter((file) => !file.startsWith('test/vectors'));
  const wide = files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) =>
        /^\s*(\/\/|\/?\*)/.test(line) && line.length > maximumCommentColumns
          ? [`${file}:${index + 1}`]
          : [],
      ),
  );
  assert.deepEqual(wide, [], `a comment has at most ${maximumCommentColumns} columns`);
});

test('members of an object are written plainly, not as a literal that is spread', () => {
  const folders = ['src', 'dashboard', 'test', 'tools', 'bench', 'examples'];
  const spread = folders.flatMap(filesBelow).flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) => (/^\s*\.{3}\{/.test(line) ? [`${file}:${index + 1}`] : [])),
  );
  assert.deepEqual(spread, [], 'write each member on a line of its own');
});

/** Returns the functions of a formatted source. Each ends at the first brace with its own indentation. */
function functionsOf(text: string): { readonly line: number; readonly lines: number }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    const opensBody = /(=>|\)(: .*)?|^\s*\}.*) \{$/.test(line);
    const opensBlock = /^\s*(if|for|while|switch|do|\} (else|catch|finally))\b/.test(line);
    if (!opensBody || opensBlock) return [];
    const indentation = /^\s*/.exec(line)?.[0] ?? '';
    const end = lines.findIndex((each, at) => at > start && each.startsWith(`${indentation}}`));
    return [{ line: start + 1, lines: end - start + 1 }];
  });
}
