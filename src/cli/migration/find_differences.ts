// Searches the sources of an application for marks of differences.

import { readdir } from '../files/file_calls.ts';
import { readFileBounded } from '../files/files.ts';
import { type Difference, differences, unspelled } from './differences.ts';

type Finding = {
  readonly difference: Difference;
  /** The first places, as path and line number from 1. */
  readonly places: readonly string[];
  /** Total number of places. */
  readonly count: number;
};

type Findings = {
  readonly findings: readonly Finding[];
  readonly files: number;
  /** Reasons why files were skipped or the search ended early. */
  readonly leftOut: readonly string[];
};

export const bounds = { files: 10_000, bytesOfFile: 1024 * 1024, depth: 16 } as const;
const shownPlaces = 5;
const maximumLeftOut = 20;

const sources =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|rb|swift|kts?|java|php|cs|dart|ya?ml|toml|env)$|^(?:requirements\.txt|go\.mod|Gemfile|\.env.*)$/;
const manifest = 'package.json';
const omittedFolders = new Set(['node_modules', 'dist', 'build', 'target', 'vendor', 'coverage']);

/**
 * Searches a folder. Skips symbolic links and hidden folders. Throws `usage` if the folder does not exist.
 */
export async function findDifferences(folder: string): Promise<Findings> {
  const found = new Map<Difference, { places: string[]; count: number }>();
  const leftOut: string[] = [];
  let files = 0;
  const note = (difference: Difference, place: string) => {
    const known = found.get(difference) ?? { places: [], count: 0 };
    if (known.places.length < shownPlaces) known.places.push(place);
    known.count += 1;
    found.set(difference, known);
  };
  const leave = (reason: string) => {
    if (leftOut.length < maximumLeftOut) leftOut.push(reason);
  };

  async function search(path: string, shown: string, depth: number): Promise<void> {
    const entries = await readdir(path, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const [below, named] = [`${path}/${entry.name}`, `${shown}${entry.name}`];
      if (entry.isDirectory()) {
        if (omittedFolders.has(entry.name) || entry.name.startsWith('.')) continue;
        if (depth === bounds.depth) leave(`${named}: deeper than ${bounds.depth} folders`);
        else await search(below, `${named}/`, depth + 1);
        continue;
      }
      if (!entry.isFile() || !(entry.name === manifest || sources.test(entry.name))) continue;
      if (files === bounds.files) {
        leave(`${named} and later files: more than ${bounds.files} files`);
        return;
      }
      files += 1;
      const text = await textOf(below);
      if (text === undefined) leave(`${named}: not readable, or longer than 1 MiB`);
      else for (const mark of marksIn(entry.name, text)) note(mark.of, `${named}:${mark.line}`);
    }
  }

  await search(folder, '', 0);
  const findings = differences.flatMap((difference) => {
    const places = found.get(difference);
    return places === undefined ? [] : [{ difference, ...places }];
  });
  return { findings, files, leftOut };
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await readFileBounded(path, bounds.bytesOfFile));
  } catch {
    return undefined;
  }
}

type Mark = { readonly of: Difference; readonly line: number };

/** Returns the differences in a file, each at most once a line. */
export function marksIn(name: string, text: string): readonly Mark[] {
  return text.split('\n').flatMap((content, i) => {
    const line = i + 1;
    const inLine = new Set<Difference>();
    for (const [quoted] of name === manifest ? content.matchAll(/(?<=")[^"]+(?=")/g) : []) {
      const ofPackage = byPackage.get(quoted);
      if (ofPackage !== undefined) inLine.add(ofPackage);
    }
    if (name !== manifest) {
      for (const [word] of content.matchAll(/[A-Za-z_][A-Za-z0-9_]*/g)) {
        const ofWord = byWord.get(unspelled(word));
        if (ofWord !== undefined) inLine.add(ofWord);
      }
    }
    for (const [of, texts] of byText) {
      if (texts.some((each) => content.includes(each))) inLine.add(of);
    }
    return [...inLine].map((of) => ({ of, line }));
  });
}

const byWord: ReadonlyMap<string, Difference> = new Map(
  differences.flatMap((difference) =>
    (difference.words?.split(' ') ?? []).map((word) => [unspelled(word), difference] as const),
  ),
);
const byPackage: ReadonlyMap<string, Difference> = new Map(
  differences.flatMap((difference) =>
    (difference.packages ?? []).map((name) => [name, difference] as const),
  ),
);
const byText = differences.map((difference) => [difference, difference.texts ?? []] as const);
