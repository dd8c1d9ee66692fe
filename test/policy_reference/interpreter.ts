// Evaluates a checked expression by walking its tree. A failure throws and is recorded, because the rest is
// evaluated even after a failure. In clauses that forbid, a bool is decided by the truth tables of the page
// (truth.ts), and a partly unknown list is evaluated as every list that it could be.

import type { Types } from './checker.ts';
import { elementOf, namespaceHolders, otherSpellings } from './names.ts';
import type { Tree } from './reader.ts';
import { isInSpan, readCron, readDurationMinutes, readTimestamp } from './time.ts';
import { and, type Lacking, lackOf, or, same, type Truth } from './truth.ts';

/** Facts in the form of the language's contract. */
export type Value =
  | boolean
  | bigint
  | string
  | { readonly caseless: string }
  | Spelled
  | readonly Value[]
  | ReadonlyMap<string, Value>
  | { readonly [member: string]: Value | undefined };

/** A text that equals each of its spellings. */
type Spelled = { readonly spelled: string; readonly others: readonly string[] };

export type FailureCode =
  | 'namespace_absent'
  | 'member_missing'
  | 'key_missing'
  | 'index_out_of_range'
  | 'type_mismatch'
  | 'number_out_of_range';

export type Outcome =
  | { readonly value: boolean }
  /** The code of the failure, and all codes that occurred. */
  | { readonly failure: FailureCode; readonly met: ReadonlySet<FailureCode> };

/** The use of the clause: an ALLOW or a scope, or a DENY or the condition of an MFA policy. */
export type Purpose = 'allow' | 'forbid';

/** Evaluates a checked clause on facts. */
export function evaluate(
  tree: Tree,
  types: Types,
  clause: string,
  scope: Value,
  purpose: Purpose,
): Outcome {
  const interpreter = new Interpreter(types, clause, scope, purpose);
  try {
    return { value: interpreter.boolean(tree) };
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const met = interpreter.failures;
    const odd = met.find((code) => code !== 'namespace_absent');
    const failure = error.lack === 'odd' ? odd : 'namespace_absent';
    if (failure === undefined) throw new Error('odd, though nothing odd was met');
    return { failure, met: new Set(met) };
  }
}

class Failed extends Error {
  readonly lack: Lacking;

  constructor(lack: Lacking) {
    super(lack);
    this.lack = lack;
  }
}

/** An element whose value is unknown. */
const unknown = Symbol('unknown');
type Item = Value | typeof unknown;

/**
 * Every list that an expression could be. There are several lists or unknown elements only if a fact is
 * lacking.
 */
type Possible = {
  readonly lists: readonly (readonly Item[])[];
  readonly lack: Lacking | undefined;
};

class Interpreter {
  readonly failures: FailureCode[] = [];
  private readonly variables = new Map<string, Value>();
  private readonly types: Types;
  private readonly clause: string;
  private readonly scope: Value;
  private readonly forbids: boolean;

  constructor(types: Types, clause: string, scope: Value, purpose: Purpose) {
    this.types = types;
    this.clause = clause;
    this.scope = scope;
    this.forbids = purpose === 'forbid';
  }

  boolean(tree: Tree): boolean {
    return this.value(tree, 'bool') === true;
  }

  /** Returns the value of a node. It must be suitable for its use, whatever else fails. */
  private value(tree: Tree, use: Use): Value {
    return this.used(this.find(tree), this.typeOf(tree), use);
  }

  private typeOf(tree: Tree): string {
    return this.types.get(tree) ?? '';
  }

  private find(tree: Tree): Value {
    switch (tree.kind) {
      case 'literal':
        return tree.value;
      case 'list':
        if (this.forbids) return this.whole(this.possible(tree));
        return this.all(tree.items.map((item) => [item, 'compared']));
      case 'name':
        return this.variables.get(tree.name) ?? this.member(this.scope, this.clause, tree.name);
      case 'member':
        return this.member(this.value(tree.of, 'any'), this.typeOf(tree.of), tree.name);
      case 'method':
        return this.method(tree.of, tree.name, tree.inputs);
      case 'function':
        return this.function(tree.name, tree.inputs);
      case 'index':
        return this.index(tree.of, tree.index);
      case 'slice':
        return this.slice(tree.of, tree.from, tree.to);
      case 'not':
        return !this.boolean(tree.of);
      case 'binary':
        return this.binary(tree.operator, tree.left, tree.right);
    }
  }

  /** Returns the values of all nodes. If one fails, the whole fails after the last. */
  private all(wanted: readonly (readonly [Tree, Use])[]): Value[] {
    const values: Value[] = [];
    const lacks: Lacking[] = [];
    for (const [tree, use] of wanted) this.attempt(() => values.push(this.value(tree, use)), lacks);
    if (values.length < wanted.length) throw new Failed(lackOf(lacks));
    return values;
  }

  /** Runs a function that may fail, and records how it fails. */
  private attempt<Result>(does: () => Result, lacks: Lacking[]): Result | undefined {
    try {
      return does();
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      lacks.push(error.lack);
      return undefined;
    }
  }

  private truth(tree: Tree): Truth {
    const lacks: Lacking[] = [];
    const value = this.attempt(() => this.boolean(tree), lacks);
    return value === undefined ? lackOf(lacks) : value ? 'true' : 'false';
  }

  private settle(truth: Truth): boolean {
    if (truth === 'absent' || truth === 'odd') throw new Failed(truth);
    return truth === 'true';
  }

  private pair(left: Tree, leftUse: Use, right: Tree, rightUse: Use): [Value, Value] {
    const [one, other] = this.all([
      [left, leftUse],
      [right, rightUse],
    ]);
    if (one === undefined || other === undefined) throw new Error('all gives all');
    return [one, other];
  }

  private fail(code: FailureCode): never {
    this.failures.push(code);
    throw new Failed(code === 'namespace_absent' ? 'absent' : 'odd');
  }

  private member(of: Value, struct: string, name: string): Value {
    if (struct === 'dynamic') return this.fail('type_mismatch');
    const fact = isStruct(of) ? memberOf(of, otherSpellings.get(name) ?? name) : undefined;
    if (fact !== undefined) return fact;
    return this.fail(namespaceHolders.has(struct) ? 'namespace_absent' : 'member_missing');
  }

  private index(container: Tree, key: Tree): Value {
    const [containerUse, keyUse] = this.usesOfIndex(this.typeOf(container), this.typeOf(key));
    const [of, index] = this.pair(container, containerUse, key, keyUse);
    if (of instanceof Map) {
      const name = textOf(index);
      if (name === undefined) return this.fail('type_mismatch');
      return of.get(name) ?? this.fail('key_missing');
    }
    if (typeof index !== 'bigint') return this.fail('type_mismatch');
    const items = this.itemsOf(of);
    const item = index < 0n ? undefined : items[Number(index)];
    if (item === undefined) return this.fail('index_out_of_range');
    return item;
  }

  private usesOfIndex(container: string, key: string): [Use, Use] {
    if (elementOf(container, 'map') !== undefined) return ['any', 'text'];
    if (container !== 'dynamic') return ['any', 'number'];
    if (key === 'int') return ['sequence', 'number'];
    return key === 'string' ? ['map', 'text'] : ['any', 'compared'];
  }

  private slice(whole: Tree, first: Tree, end: Tree): Value {
    const [of, from, to] = this.all([
      [whole, 'sequence'],
      [first, 'number'],
      [end, 'number'],
    ]);
    if (of === undefined || typeof from !== 'bigint' || typeof to !== 'bigint') {
      throw new Error('not checked');
    }
    const items = this.itemsOf(of);
    if (from < 0n || from > to || to > BigInt(items.length)) return this.fail('index_out_of_range');
    const part = items.slice(Number(from), Number(to));
    if (Array.isArray(of)) return part;
    const text = part.map((character) => textOf(character) ?? '').join('');
    return isCaseless(of) ? { caseless: text } : text;
  }

  /** Returns the elements of a list, or the characters of a text, which ignore case if the text does. */
  private itemsOf(of: Value): readonly Value[] {
    if (Array.isArray(of)) return of;
    const text = textOf(of);
    if (text === undefined) return this.fail('type_mismatch');
    return [...text].map((character) => (isCaseless(of) ? { caseless: character } : character));
  }

  private method(of: Tree, name: string, inputs: readonly Tree[]): Value {
    const [first, second] = inputs;
    if (name === 'contains' && first !== undefined) return this.isAmong(of, [of, first]);
    if (this.forbids) return this.methodOfPossible(of, name, inputs);
    const list = this.value(of, 'list');
    if (!Array.isArray(list)) throw new Error('not checked');
    if (name === 'count') return BigInt(list.length);
    if (first?.kind !== 'name' || second === undefined) throw new Error('not checked');
    const held = this.holding(list, first.name, second);
    if (name === 'filter') return held;
    return name === 'any' ? held.length > 0 : held.length === list.length;
  }

  /** Returns the elements for which a predicate holds. It is evaluated for every element. */
  private holding(list: readonly Value[], variable: string, predicate: Tree): Value[] {
    const held: Value[] = [];
    const lacks: Lacking[] = [];
    for (const item of list) {
      this.variables.set(variable, item);
      this.attempt(() => {
        if (this.boolean(predicate)) held.push(item);
      }, lacks);
    }
    this.variables.delete(variable);
    if (lacks.length > 0) throw new Failed(lackOf(lacks));
    return held;
  }

  private methodOfPossible(of: Tree, name: string, inputs: readonly Tree[]): Value {
    if (name === 'count') return BigInt(this.whole(this.possible(of)).length);
    const [first, predicate] = inputs;
    if (first?.kind !== 'name' || predicate === undefined) throw new Error('not checked');
    if (name === 'filter') return this.whole(this.filtered(of, first.name, predicate));
    const { lists, lack } = this.possible(of);
    const join = name === 'any' ? or : and;
    const none: Truth = name === 'any' ? 'false' : 'true';
    const answers = lists.map((list) =>
      list.map((item) => this.holdsFor(item, first.name, predicate, lack)).reduce(join, none),
    );
    return this.settle(same(answers, lack));
  }

  private holdsFor(
    item: Item,
    variable: string,
    predicate: Tree,
    lack: Lacking | undefined,
  ): Truth {
    if (item === unknown) return lack ?? 'odd';
    this.variables.set(variable, item);
    const truth = this.truth(predicate);
    this.variables.delete(variable);
    return truth;
  }

  /** Returns every list that a list could be. */
  private possible(tree: Tree): Possible {
    if (tree.kind === 'method' && tree.name === 'filter') {
      const [variable, predicate] = tree.inputs;
      if (variable?.kind !== 'name' || predicate === undefined) throw new Error('not checked');
      return this.filtered(tree.of, variable.name, predicate);
    }
    if (tree.kind === 'list') {
      const lacks: Lacking[] = [];
      const items = tree.items.map(
        (item): Item => this.attempt(() => this.value(item, 'compared'), lacks) ?? unknown,
      );
      return { lists: [items], lack: lacks.length === 0 ? undefined : lackOf(lacks) };
    }
    const list = this.value(tree, 'list');
    if (!Array.isArray(list)) throw new Error('not checked');
    return { lists: [list], lack: undefined };
  }

  /** Returns, for each list that it could be, the filtered lists with and without each doubtful element. */
  private filtered(of: Tree, variable: string, predicate: Tree): Possible {
    const inner = this.possible(of);
    const lacks: Lacking[] = inner.lack === undefined ? [] : [inner.lack];
    const lists = inner.lists.flatMap((list) => {
      let found: Item[][] = [[]];
      for (const item of list) {
        const truth = this.holdsFor(item, variable, predicate, inner.lack);
        if (truth === 'false') continue;
        const longer = found.map((start): Item[] => [...start, item]);
        found = truth === 'true' ? longer : [...found, ...longer];
        if (truth !== 'true') lacks.push(truth);
      }
      return found;
    });
    const [only] = lists;
    const isCertain =
      only !== undefined && !only.includes(unknown) && lists.every((list) => areSame(list, only));
    return isCertain ? { lists: [only], lack: undefined } : { lists, lack: lackOf(lacks) };
  }

  /** Returns the only possible list. */
  private whole({ lists, lack }: Possible): readonly Value[] {
    const [list] = lists;
    if (lack !== undefined || list === undefined) throw new Failed(lack ?? 'odd');
    return list.filter((item) => item !== unknown);
  }

  /** Returns the possible values of a number: each possible count of a list, or the number itself. */
  private possibleNumbers(tree: Tree): { numbers: readonly Value[]; lack: Lacking | undefined } {
    if (tree.kind !== 'method' || tree.name !== 'count') {
      return { numbers: [this.value(tree, 'number')], lack: undefined };
    }
    const { lists, lack } = this.possible(tree.of);
    return { numbers: lists.map(({ length }) => BigInt(length)), lack };
  }

  private function(name: string, inputs: readonly Tree[]): Value {
    const values = this.all(inputs.map((input) => [input, 'text']));
    const [first = '', second = '', third = ''] = values.map((value) => textOf(value) ?? '');
    const [value] = values;
    if (name === 'CaseInsensitiveString') {
      if (value === undefined || !isSpelled(value)) return lower(first);
      return { spelled: lower(first), others: value.others.map(lower) };
    }
    if (name === 'Timestamp') return readTimestamp(first);
    const now = this.member(this.member(this.scope, 'time', 'time'), 'Clock', 'now');
    if (typeof now !== 'bigint') return this.fail('type_mismatch');
    return isInSpan(now, readCron(first), readDurationMinutes(second), third);
  }

  private binary(operator: string, left: Tree, right: Tree): boolean {
    if (this.forbids && (operator === '&&' || operator === '||')) {
      const sides = [this.truth(left), this.truth(right)] as const;
      return this.settle(operator === '&&' ? and(...sides) : or(...sides));
    }
    if (this.forbids && operator !== 'in' && [left, right].some(isCount)) {
      return this.compareCounts(operator, left, right);
    }
    if (operator === '&&' || operator === '||') {
      const [one, other] = this.pair(left, 'bool', right, 'bool');
      return operator === '&&' ? one === true && other === true : one === true || other === true;
    }
    if (operator === 'in') return this.isAmong(right, [left, right]);
    if (operator === '==' || operator === '!=') {
      const [one, other] = this.pair(left, 'compared', right, 'compared');
      return this.areEqual(one, other) === (operator === '==');
    }
    const [one, other] = this.pair(left, 'number', right, 'number');
    return isOrdered(operator, one, other);
  }

  private compareCounts(operator: string, left: Tree, right: Tree): boolean {
    // A value that is not a number cannot be compared with any count.
    const isEquality = operator === '==' || operator === '!=';
    const lacks: Lacking[] = [];
    const [one, other] = [left, right].map((tree) =>
      this.attempt(() => {
        const possible =
          isEquality && !isCount(tree)
            ? { numbers: [this.value(tree, 'compared')], lack: undefined }
            : this.possibleNumbers(tree);
        if (possible.lack !== undefined) lacks.push(possible.lack);
        return possible.numbers;
      }, lacks),
    );
    if (one === undefined || other === undefined) throw new Failed(lackOf(lacks));
    const answers = one.flatMap((a) =>
      other.map((b): Truth => {
        const holds = isEquality
          ? this.areEqual(a, b) === (operator === '==')
          : isOrdered(operator, a, b);
        return holds ? 'true' : 'false';
      }),
    );
    return this.settle(same(answers, lacks.length === 0 ? undefined : lackOf(lacks)));
  }

  /** Returns true if a list contains an element. Every element is compared. */
  private isAmong(listTree: Tree, order: readonly [Tree, Tree]): boolean {
    const element = elementOf(this.typeOf(listTree), 'list') ?? 'dynamic';
    if (this.forbids) return this.isAmongPossible(listTree, order, element);
    const values = this.all(order.map((tree) => [tree, tree === listTree ? 'list' : 'compared']));
    const [list, wanted] = order[0] === listTree ? values : values.toReversed();
    if (!Array.isArray(list) || wanted === undefined) throw new Error('not checked');
    let found = false;
    const lacks: Lacking[] = [];
    for (const item of list) {
      this.attempt(() => {
        if (this.areEqual(wanted, this.used(item, element, 'compared'))) found = true;
      }, lacks);
    }
    if (lacks.length > 0) throw new Failed(lackOf(lacks));
    return found;
  }

  private isAmongPossible(listTree: Tree, order: readonly [Tree, Tree], element: string): boolean {
    const lacks: Lacking[] = [];
    let lists: readonly (readonly Item[])[] | undefined;
    let wanted: Value | undefined;
    for (const tree of order) {
      this.attempt(() => {
        if (tree !== listTree) wanted = this.value(tree, 'compared');
        else {
          const possible = this.possible(tree);
          lists = possible.lists;
          if (possible.lack !== undefined) lacks.push(possible.lack);
        }
      }, lacks);
    }
    if (lists === undefined || wanted === undefined) throw new Failed(lackOf(lacks));
    const sought = wanted;
    const lack = lacks.length === 0 ? undefined : lackOf(lacks);
    const isSame = (item: Item): Truth => {
      if (item === unknown) return lack ?? 'odd';
      const met: Lacking[] = [];
      const equal = this.attempt(
        () => this.areEqual(sought, this.used(item, element, 'compared')),
        met,
      );
      return equal === undefined ? lackOf(met) : equal ? 'true' : 'false';
    };
    const answers = lists.map((list) => list.map(isSame).reduce(or, 'false'));
    return this.settle(same(answers, lack));
  }

  private areEqual(one: Value, other: Value): boolean {
    if (textOf(one) !== undefined && textOf(other) !== undefined) {
      const spell = isCaseless(one) || isCaseless(other) ? lower : (text: string) => text;
      const spellings = new Set(spellingsOf(other, this.forbids).map(spell));
      return spellingsOf(one, this.forbids).some((text) => spellings.has(spell(text)));
    }
    const isScalar = typeof one === 'boolean' || typeof one === 'bigint';
    if (!isScalar || typeof one !== typeof other) return this.fail('type_mismatch');
    return one === other;
  }

  /** Only a value of a map can be unsuitable here; integers are read within their range. */
  private used(value: Value, type: string, use: Use): Value {
    if (!isOfUse[use](value)) return this.fail('type_mismatch');
    const isRead = use === 'number' || use === 'compared';
    if (typeof value !== 'bigint' || type === 'timestamp' || !isRead) return value;
    const [lowest, highest] =
      type === 'uint' || type === 'wide' ? [0n, 2n ** 256n - 1n] : [-(2n ** 127n), 2n ** 127n - 1n];
    return value < lowest || value > highest ? this.fail('number_out_of_range') : value;
  }
}

/** The use of a value, which restricts its type. */
type Use = 'any' | 'bool' | 'number' | 'text' | 'compared' | 'list' | 'sequence' | 'map';

const isOfUse: Readonly<Record<Use, (value: Value) => boolean>> = {
  any: () => true,
  // The comparison checks both sides once both are known.
  compared: () => true,
  bool: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'bigint',
  text: (value) => textOf(value) !== undefined,
  list: (value) => Array.isArray(value),
  sequence: (value) => Array.isArray(value) || textOf(value) !== undefined,
  map: (value) => value instanceof Map,
};

function isCount(tree: Tree): boolean {
  return tree.kind === 'method' && tree.name === 'count';
}

function isOrdered(operator: string, one: Value, other: Value): boolean {
  if (operator === '<') return one < other;
  if (operator === '<=') return one <= other;
  if (operator === '>') return one > other;
  return one >= other;
}

function areSame(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && one.every((item, i) => item === other[i]);
}

type Struct = { readonly [member: string]: Value | undefined };

function isStruct(value: Value): value is Struct {
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof Map) return false;
  return !isCaseless(value) && !isSpelled(value);
}

function memberOf(struct: Struct, name: string): Value | undefined {
  return Object.hasOwn(struct, name) ? struct[name] : undefined;
}

function isCaseless(value: Value): value is { readonly caseless: string } {
  return typeof value === 'object' && 'caseless' in value;
}

function isSpelled(value: Value): value is Spelled {
  return typeof value === 'object' && 'spelled' in value;
}

/** Other spellings count only in clauses that forbid. */
function spellingsOf(value: Value, forbids: boolean): readonly string[] {
  const text = textOf(value);
  if (text === undefined) return [];
  return isSpelled(value) && forbids ? [text, ...value.others] : [text];
}

function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (isSpelled(value)) return value.spelled;
  return isCaseless(value) ? value.caseless : undefined;
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
