// The unmodified packages of other languages, and clients that generators write from the OpenAPI document,
// against a service: npm run clients -- [python] [rust] [go] [ruby] [java] and others of languages.ts
// With --sdk DIR it runs the tests of the public SDK in a checkout instead, see public_sdk.ts.
// A language whose toolchain is missing is skipped, and so is one whose packages its registry refuses to
// give; both give the reason.

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startService, temporaryDirectory } from '../e2e/service.ts';
import { answersOfAllOperations } from './answers.ts';
import { judgeDecoder } from './decoding.ts';
import { judge } from './judge.ts';
import { type Command, type Language, languages } from './languages.ts';
import { examinePublicSdk, type Outcome } from './public_sdk.ts';
import type { Answer, Question } from './question.ts';
import { peopleOf } from './world.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sdk: { type: 'string' }, packages: { type: 'string' } },
});
const unknown = positionals.find((name) => !Object.hasOwn(languages, name));
if (unknown !== undefined) {
  throw new Error(`expected ${Object.keys(languages).join(', ')}, found ${unknown}`);
}
const chosen = Object.entries(languages).filter(
  ([name]) => (positionals.length === 0 && values.sdk === undefined) || positionals.includes(name),
);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'keywright-clients');

const service = await startService({ dataDirectory: temporaryDirectory() });
const people = await peopleOf(service);
mkdirSync(cache, { recursive: true });
const openApiDocument = join(cache, 'openapi.json');
writeFileSync(openApiDocument, await (await fetch(`${service.baseUrl}/openapi.json`)).text());
/** Builds at a time: one waits for the network while another takes the processor. */
const buildsAtOnce = 2;
const works = chosen.map(([name, language]) => ({
  name,
  language,
  built: Promise.withResolvers<Built>(),
}));
const unbuilt = [...works];
for (let i = 0; i < buildsAtOnce; i += 1) void buildRest();
const outcomes: Outcome[] = [];
for (const { name, language, built } of works) {
  const { failure, ms } = await built.promise;
  outcomes.push(
    failure === undefined
      ? await examine(name, language, ms)
      : report(name, failure.outcome, failure.words),
  );
}
if (values.sdk !== undefined) {
  const sdk = { checkout: resolve(values.sdk), packages: values.packages?.split(',') };
  outcomes.push(...(await examinePublicSdk(service, sdk, say)));
}
await service.stop();
const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
say(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
process.exitCode = count('failed') > 0 ? 1 : 0;

/** The milliseconds of a build, and its outcome if the language cannot be examined. */
type Built = {
  readonly ms: number;
  readonly failure?: { readonly outcome: Outcome; readonly words: string };
};

/** Builds one language after the other. */
async function buildRest(): Promise<void> {
  for (let next = unbuilt.shift(); next !== undefined; next = unbuilt.shift()) {
    const started = performance.now();
    const failure = await build(next.name, next.language);
    next.built.resolve({ ms: performance.now() - started, ...(failure && { failure }) });
  }
}

/** Fetches and builds the packages of a language. Returns undefined if they can be examined. */
async function build(name: string, language: Language): Promise<Built['failure']> {
  const directory = join(cache, name);
  if (!(await run(language.probe, tmpdir())).ok) {
    const words = `${language.probe[0]} is not installed, or lacks a part`;
    return { outcome: 'skipped', words };
  }
  mkdirSync(directory, { recursive: true });
  for (const command of language.build(directory, openApiDocument)) {
    const { ok, output } = await run(command, directory);
    const refused = refusalOfRegistry(output);
    if (!ok && refused !== undefined) return { outcome: 'skipped', words: refused };
    if (!ok) return { outcome: 'failed', words: `it cannot be built\n${output}` };
  }
  return undefined;
}

async function examine(name: string, language: Language, buildMs: number): Promise<Outcome> {
  const started = performance.now() - buildMs;
  const directory = join(cache, name);
  const question: Question = { ...people, walletName: `Wallet by ${name}` };
  const { ok, output } = await run(language.run(directory), directory, JSON.stringify(question));
  try {
    if (!ok) throw new Error(output);
    const answer: Answer = JSON.parse(output);
    await judge(service, question, answer, language);
    if (language.decode !== undefined) {
      const answers = JSON.stringify(await answersOfAllOperations());
      const decoded = await run(language.decode(directory), directory, answers);
      if (!decoded.ok) throw new Error(decoded.output);
      judgeDecoder(JSON.parse(decoded.output));
    }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return report(name, 'failed', `${language.packages}\n${words}`);
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  return report(name, 'passed', `${language.packages}, ${seconds} s`);
}

/** Prints the outcome of a language, and returns it. */
function report(name: string, outcome: Outcome, words: string): Outcome {
  say(`${outcome} ${name}: ${words}`);
  return outcome;
}

/** Returns the line in which a package client reports that the registry refused a package. */
function refusalOfRegistry(output: string): string | undefined {
  return output.split('\n').find((line) => /\b(403 Forbidden|404 Not Found|410 Gone)\b/.test(line));
}

/** Runs a program for at most half an hour: a first build took over ten minutes on two busy cores. */
function run(
  [program, ...values]: Command,
  cwd: string,
  input = '',
): Promise<{ readonly ok: boolean; readonly output: string }> {
  return new Promise((resolve) => {
    const child = execFile(program, values, { cwd, timeout: 1_800_000 }, (error, stdout, stderr) =>
      resolve(
        error === null
          ? { ok: true, output: stdout }
          : { ok: false, output: `${stdout}${stderr}` || error.message },
      ),
    );
    child.stdin?.on('error', () => {}).end(input);
  });
}
