// The functions of node:util that every command uses. An import of the module loads all that it offers,
// which each start would wait for.

export const { parseArgs, promisify, styleText } = process.getBuiltinModule('node:util');
