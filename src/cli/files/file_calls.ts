// The calls of node:fs/promises that commands need. The module itself loads readline and streams of files,
// which each start would wait for; an import of node:fs loads it too.

import { promisify } from '../words/node_util.ts';

const fs = process.getBuiltinModule('node:fs');

export const chmod = promisify(fs.chmod);
export const close = promisify(fs.close);
export const fchmod = promisify(fs.fchmod);
export const fstat = promisify(fs.fstat);
export const fsync = promisify(fs.fsync);
export const mkdir = promisify(fs.mkdir);
export const open = promisify(fs.open);
export const read = promisify(fs.read);
export const readdir = promisify(fs.readdir);
export const rename = promisify(fs.rename);
export const rm = promisify(fs.rm);
/** Takes a path or an open file; an open file is written at its position. */
export const writeFile = promisify(fs.writeFile);
