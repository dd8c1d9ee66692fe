// Random expressions: most are well-typed, and some have a wrong type or token.

import type { ClauseName } from './checker.ts';
import { firstTimeMs, integers, keys, texts } from './facts.ts';
import { elementOf, members } from './names.ts';
import type { Random } from './random.ts';

export type Manner = 'well_typed' | 'ill_typed' | 'ill_formed';

/** Returns the text of a random clause. */
export function randomExpression(random: Random, clause: ClauseName, manner: Manner): string {
  const writer = new Writer(random, clause, manner);
  const text = writer.bool(random.below(5));
  return manner === 'ill_formed' ? withWrongToken(random, text) : text;
}

/** Splits a text roughly into tokens. */
export function pieces(text: string): string[] {
  return text.match(/'[^']*'|[A-Za-z0-9_]+|\|\||&&|[=!<>]=|\.\.|\s+|./gsu) ?? [];
}

const indexes = [0, 0, 0, 0, 0, 0, 0, 1, 1, 2, -1];
const scalars = ['int', 'string', 'bool', 'uint', 'timestamp'];
const equalities = ['==', '!='];
const orders = ['==', '!=', '<', '<=', '>', '>='];
const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata'];
const wrongTokens =
  "( ) [ ] . .. , ! == != < <= > >= in && || true false 'a' ' 0 -1 - & | = + any count tx x # é".split(
    ' ',
  );

class Writer {
  private readonly random: Random;
  private readonly clause: ClauseName;
  private readonly manner: Manner;
  private readonly roots: readonly string[];
  private readonly variables: [name: string, type: string][] = [];

  constructor(random: Random, clause: ClauseName, manner: Manner) {
    this.random = random;
    this.clause = clause;
    this.manner = manner;
    // An expression uses few roots. With many, one of them would nearly always be absent.
    const known = [...(members.get(clause) ?? new Map<string, string>()).keys()];
    this.roots = Array.from({ length: 1 + random.below(3) }, () => random.pick(known));
  }

  /** A chain of terms. Operators that bind more tightly need no parentheses. */
  bool(depth: number): string {
    const length = this.random.pick([1, 1, 2, 3]);
    const terms = Array.from({ length }, () => this.term(depth));
    return terms.reduce(
      (chain, term) =>
        `${chain}${this.space()}${this.random.pick(['&&', '||'])}${this.space()}${term}`,
    );
  }

  private term(depth: number): string {
    if (depth > 0) {
      const next = depth - 1;
      const choice = this.random.below(9);
      if (choice === 0) return `(${this.bool(next)})`;
      if (choice === 1) return `!(${this.bool(next)})`;
      if (choice === 2) return this.lambda(this.random.pick(['all', 'any']), next);
      if (choice === 3) return `!${this.lambda('any', next)}`;
      if (choice === 4) return this.membership(next);
      if (choice === 5) return `${this.path('bool', next)}${this.random.pick(['', ' == true'])}`;
      if (choice === 6 && this.clause === 'time') return this.span();
      if (choice === 7 && this.walks('dynamic')) return this.path('dynamic', next);
    }
    return this.comparison(depth);
  }

  private comparison(depth: number): string {
    const types = this.walks('uint') ? scalars.slice(0, 4) : scalars.slice(0, 3);
    const type = this.clause === 'time' ? 'timestamp' : this.random.pick(types);
    const isOrdered = type === 'int' || type === 'uint' || type === 'timestamp';
    const operator = this.random.pick(isOrdered ? orders : equalities);
    const left = type === 'uint' ? this.path('uint', depth) : this.operand(type, depth);
    const right = this.operand(type === 'uint' ? this.random.pick(['int', 'uint']) : type, depth);
    const sides = this.random.chance(0.5) ? [left, right] : [right, left];
    return sides.join(`${this.space()}${operator}${this.space()}`);
  }

  /** A value that needs no parentheses beside a comparison. */
  private operand(wanted: string, depth: number): string {
    const isWrong = this.manner === 'ill_typed' && this.random.chance(0.08);
    const type = isWrong ? this.random.pick(scalars) : wanted;
    const choice = this.random.below(10);
    if (choice < 3) return this.literal(type);
    if (choice === 3 && this.walks('dynamic')) return this.path('dynamic', depth);
    if (choice === 4 && depth > 0 && type === 'int') {
      return `${this.list(this.anyListType(), depth - 1)}.count()`;
    }
    if (choice === 5 && depth > 0 && type === 'string') {
      return `CaseInsensitiveString(${this.operand('string', depth - 1)})`;
    }
    if (choice === 6 && depth > 0 && type === 'bool') return `(${this.bool(depth - 1)})`;
    if (choice === 7 && depth > 0) return `(${this.operand(type, depth - 1)})`;
    return this.path(type, depth);
  }

  private literal(type: string): string {
    switch (type) {
      case 'bool':
        return this.random.pick(['true', 'false']);
      case 'string':
        return `'${this.random.pick(texts)}'`;
      case 'uint':
        return String(this.random.pick([1n, 2n ** 127n, 2n ** 256n - 1n]));
      case 'timestamp':
        return this.timestamp();
      default:
        return String(this.random.pick(integers));
    }
  }

  private timestamp(): string {
    const at = new Date(firstTimeMs + this.random.below(9 * 24) * 3_600_000).toISOString();
    const end = this.random.pick(['Z', 'z', '+00:00', '-00:00', '.5Z', '+01:00']);
    return `Timestamp('${at.slice(0, 19)}${end}')`;
  }

  private span(): string {
    const field = (lowest: number, highest: number) => {
      const one = lowest + this.random.below(highest - lowest + 1);
      const other = one + this.random.below(highest - one + 1);
      return this.random.pick(['*', '*', `${one}`, `${one}-${other}`, `${lowest},${other}`]);
    };
    const cron = [field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6)];
    const duration = this.random.pick(['1m', '45m', '1h', '1h30m', '2h', '3h', '1d1h', '0m', '8d']);
    return `CronSpan('${cron.join(' ')}', '${duration}', '${this.random.pick(zones)}')`;
  }

  private membership(depth: number): string {
    const type = this.random.pick(['string', 'string', 'int', 'bool']);
    const element = this.operand(type, depth);
    const list = this.list(`list of ${type}`, depth);
    return this.random.chance(0.5) ? `${element} in ${list}` : `${list}.contains(${element})`;
  }

  private list(type: string, depth: number): string {
    const element = elementOf(type, 'list') ?? 'string';
    const choice = this.random.below(8);
    if (choice < 3 && scalars.includes(element)) {
      const items = Array.from({ length: this.random.below(4) }, () => this.literal(element));
      return `[${items.join(`,${this.space()}`)}]`;
    }
    if (choice === 3 && this.walks('dynamic')) return this.path('dynamic', depth);
    if (choice === 4 && depth > 0) return this.lambda('filter', depth - 1, type);
    const path = this.path(type, depth);
    return choice === 5 ? `${path}[0..${this.random.below(3)}]` : path;
  }

  private lambda(name: string, depth: number, type = this.anyListType()): string {
    const isDynamic = this.walks('dynamic') && this.random.chance(0.3);
    const target = isDynamic
      ? this.path('dynamic', depth)
      : this.list(type, Math.max(0, depth - 1));
    const element = isDynamic ? 'dynamic' : (elementOf(type, 'list') ?? 'dynamic');
    const variable = this.random.chance(0.03) ? 'x' : `x${this.variables.length}`;
    this.variables.push([variable, element]);
    const predicate = this.bool(depth);
    this.variables.pop();
    return `${target}.${name}(${variable},${this.space()}${predicate})`;
  }

  private anyListType(): string {
    const lists = this.roots.flatMap((root) =>
      reachable(members.get(this.clause)?.get(root) ?? '').filter((type) =>
        type.startsWith('list of'),
      ),
    );
    return lists.length === 0 ? 'list of string' : this.random.pick(lists);
  }

  /** Returns a path of names that ends in a type, or a literal if there is no such path. */
  private path(type: string, depth: number): string {
    const open = this.starts().filter(([, from]) => leadsTo(from, type));
    if (open.length === 0) {
      const item = elementOf(type, 'list');
      if (item === undefined) return this.literal(type);
      return scalars.includes(item) ? `[${this.literal(item)}]` : '[]';
    }
    let [text, at] = this.random.pick(open);
    for (let steps = 0; steps < 14; steps += 1) {
      if (sameType(at, type) && (this.random.chance(0.8) || type !== 'dynamic')) break;
      [text, at] = this.step(text, at, type);
    }
    if (type === 'string' && this.random.chance(0.1)) {
      const from = this.random.below(2);
      const end = from + this.random.below(3);
      return this.random.chance(0.3) ? `${text}[${from}]` : `${text}[${from}..${end}]`;
    }
    return this.random.chance(0.03) && depth > 0 ? `(${text})` : text;
  }

  private walks(type: string): boolean {
    return this.starts().some(([, from]) => leadsTo(from, type));
  }

  private starts(): [name: string, type: string][] {
    const known = members.get(this.clause);
    return [
      ...this.variables,
      ...this.variables,
      ...this.roots.map((root): [string, string] => [root, known?.get(root) ?? '']),
    ];
  }

  private step(text: string, at: string, target: string): [string, string] {
    const item = elementOf(at, 'list');
    if (item !== undefined) return [`${text}[${this.random.pick(indexes)}]`, item];
    const value = elementOf(at, 'map');
    if (value !== undefined) return [`${text}['${this.random.pick(keys)}']`, value];
    if (at === 'dynamic') {
      const index = this.random.chance(0.5) ? `'${this.random.pick(keys)}'` : '0';
      return [`${text}[${index}]`, 'dynamic'];
    }
    const open = [...(members.get(at) ?? [])].filter(([, type]) => leadsTo(type, target));
    const [name, type] = this.random.pick(open);
    const isWrong = this.manner === 'ill_typed' && this.random.chance(0.02);
    return [`${text}.${isWrong ? this.random.pick(['id', 'tx', 'count', 'nothing']) : name}`, type];
  }

  private space(): string {
    return this.random.pick(['', ' ', ' ', ' ', '\n  ', '\t']);
  }
}

const reached = new Map<string, readonly string[]>();

/** Returns the types on paths from a type. */
function reachable(from: string): readonly string[] {
  const found = reached.get(from);
  if (found !== undefined) return found;
  const met = new Set<string>();
  const visit = (type: string) => {
    if (met.has(type)) return;
    met.add(type);
    const inner = elementOf(type, 'list') ?? elementOf(type, 'map');
    if (inner !== undefined) visit(inner);
    for (const member of (members.get(type) ?? new Map<string, string>()).values()) visit(member);
  };
  visit(from);
  reached.set(from, [...met]);
  return [...met];
}

function leadsTo(from: string, target: string): boolean {
  return reachable(from).some((type) => sameType(type, target));
}

function sameType(found: string, wanted: string): boolean {
  return found === wanted || ((found === 'caseless' || found === 'spelled') && wanted === 'string');
}

function withWrongToken(random: Random, text: string): string {
  const parts = pieces(text);
  const at = random.below(parts.length);
  const change = random.below(4);
  if (change === 0) parts.splice(at, 1);
  else if (change === 1) parts.splice(at, 0, random.pick(wrongTokens));
  else if (change === 2) parts.splice(at, 1, random.pick(wrongTokens));
  else parts.splice(at, 0, random.pick(parts));
  return parts.join('');
}
