// Takes screenshots in both themes at widths of 390 and 1,280 pixels, and lists changes from the last run:
// `npm run pictures -- [FOLDER [LAST]]`. A difference is not a failure. `--compare` takes no pictures, and
// only lists changes: FOLDER is the DASHBOARD_PICTURES of an earlier test run.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { differingShare, readPng } from './png.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  options: { compare: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder = join(root, 'pictures'), last] = positionals;
/** Tests that open screens and dialogs. */
const tests = [
  'screens',
  'filled_screens',
  'people_screens',
  'rules_screens',
  'balances',
  'limits',
];
const maximumSeconds = 360;
/** Pictures that differ by less count as equal, because times and addresses differ between runs. */
const maximumShare = 0.01;

if (!values.compare) process.exitCode = takePictures();
const taken = picturesIn(folder);
const lines = [
  `${taken.length} pictures in ${folder}`,
  ...(last === undefined ? [] : changes(last)),
];
process.stdout.write(`${lines.join('\n')}\n`);

/** Runs the tests that take pictures, and returns their exit code. */
function takePictures(): number {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'test/run.ts'), ...tests.map((name) => `test/dashboard/${name}.test.ts`)],
    {
      cwd: root,
      env: { ...process.env, DASHBOARD_PICTURES: folder },
      stdio: 'inherit',
      timeout: maximumSeconds * 1000,
    },
  );
  return status ?? 1;
}

function picturesIn(place: string): readonly string[] {
  return existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('.png')) : [];
}

/** Returns one line for each picture that is new, missing or different. */
function changes(place: string): readonly string[] {
  const before = picturesIn(place);
  const changed = taken.flatMap((name) => {
    if (!before.includes(name)) return [`new: ${name}`];
    const [was, is] = [place, folder].map((each) => readPng(readFileSync(join(each, name))));
    const share = was === undefined || is === undefined ? 1 : differingShare(was, is);
    return share > maximumShare ? [`changed by ${Math.round(share * 100)} %: ${name}`] : [];
  });
  const gone = before.filter((name) => !taken.includes(name)).map((name) => `gone: ${name}`);
  return [...changed, ...gone];
}
