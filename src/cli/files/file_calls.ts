// The functions of node:fs/promises that commands need. An import of node:fs or of node:fs/promises loads
// further modules, such as readline, which would slow down every start.

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
/** Accepts a path or a file descriptor. A descriptor is written at its current position. */
export const writeFile = promisify(fs.writeFile);
