// Checks the types of an expression: refuses invalid ones, and stores the type of every node.

import { elementOf, members, memberType } from './names.ts';
import { Refused, type Tree } from './reader.ts';
import { readCron, readDurationMinutes, readTimestamp, readZone } from './time.ts';

export type ClauseName = 'condition' | 'consensus' | 'time';

/** The type of each node of a checked clause. */
export type Types = ReadonlyMap<Tree, string>;

/** Checks a clause, which must be of type bool. Raises `Refused`. */
export function check(clause: ClauseName, tree: Tree): Types {
  const checker = new Checker(clause);
  const type = checker.typeOf(tree);
  if (!fits(type, 'bool')) throw new Refused(`a clause of type ${type}`);
  return checker.types;
}

const numbers = ['int', 'uint', 'wide', 'dynamic'];
const scalars = ['bool', 'string', 'timestamp', ...numbers];
const ordered = ['timestamp', ...numbers];
const deepestLambda = 8;

class Checker {
  readonly types = new Map<Tree, string>();
  private readonly clause: ClauseName;
  private readonly variables: [name: string, type: string][] = [];

  constructor(clause: ClauseName) {
    this.clause = clause;
  }

  typeOf(tree: Tree): string {
    const type = this.find(tree);
    this.types.set(tree, type);
    return type;
  }

  private find(tree: Tree): string {
    switch (tree.kind) {
      case 'literal':
        return typeOfLiteral(tree.value);
      case 'list':
        return this.list(tree.items);
      case 'name':
        return this.name(tree.name);
      case 'member':
        return this.member(this.typeOf(tree.of), tree.name);
      case 'method':
        return this.method(tree.of, tree.name, tree.inputs);
      case 'function':
        return this.function(tree.name, tree.inputs);
      case 'index':
        return this.index(this.typeOf(tree.of), this.typeOf(tree.index));
      case 'slice':
        return this.slice(this.typeOf(tree.of), this.typeOf(tree.from), this.typeOf(tree.to));
      case 'not':
        return this.expect(tree.of, 'bool');
      case 'binary':
        return this.binary(tree.operator, tree.left, tree.right);
    }
  }

  private name(name: string): string {
    const variable = this.variables.find(([known]) => known === name);
    const type = variable?.[1] ?? memberType(this.clause, name);
    if (type === undefined) throw new Refused(`field does not exist: ${name}`);
    return type;
  }

  private member(of: string, name: string): string {
    if (of === 'dynamic') return 'dynamic';
    const type = memberType(of, name);
    if (type === undefined) throw new Refused(`field does not exist: ${name}`);
    return type;
  }

  private list(items: readonly Tree[]): string {
    const types = new Set(items.map((item) => this.typeOf(item)));
    if (types.size > 1 && types.has('dynamic') && [...types].some(isStructured)) {
      throw new Refused('a struct beside a value of unknown type');
    }
    if (types.size === 0 || types.has('dynamic')) return 'list of dynamic';
    if (types.size === 1) return `list of ${[...types].join()}`;
    // A list with numbers of both kinds can be compared only with a uint.
    if ([...types].every((type) => numbers.includes(type))) return 'list of wide';
    throw new Refused('a list of several types');
  }

  private index(of: string, index: string): string {
    const element = elementOf(of, 'list') ?? (of === 'string' ? 'string' : undefined);
    if (element !== undefined && fits(index, 'int')) return element;
    const value = elementOf(of, 'map');
    if (value !== undefined && fits(index, 'string')) return value;
    if (of === 'dynamic' && (fits(index, 'int') || fits(index, 'string'))) return 'dynamic';
    throw new Refused(`${of} has no index of type ${index}`);
  }

  private slice(of: string, from: string, to: string): string {
    const isSliced = of === 'string' || of === 'dynamic' || elementOf(of, 'list') !== undefined;
    if (!isSliced || !fits(from, 'int') || !fits(to, 'int')) throw new Refused('no such slice');
    return of;
  }

  private method(of: Tree, name: string, inputs: readonly Tree[]): string {
    const list = this.typeOf(of);
    const element = list === 'dynamic' ? 'dynamic' : elementOf(list, 'list');
    if (element === undefined) throw new Refused(`${list} has no method ${name}`);
    const [first, second] = inputs;
    if (name === 'count' && inputs.length === 0) return 'int';
    if (name === 'contains' && inputs.length === 1 && first !== undefined) {
      return this.isAmong(this.typeOf(first), element);
    }
    const isLambda = name === 'all' || name === 'any' || name === 'filter';
    if (!isLambda || inputs.length !== 2 || first?.kind !== 'name' || second === undefined) {
      throw new Refused(`no method ${name} of ${inputs.length} inputs`);
    }
    this.lambda(first.name, element, second);
    return name === 'filter' ? `list of ${element}` : 'bool';
  }

  private lambda(variable: string, type: string, predicate: Tree): void {
    const isTaken = this.variables.some(([known]) => known === variable);
    if (isTaken || members.get(this.clause)?.has(variable)) {
      throw new Refused(`${variable} is taken`);
    }
    if (this.variables.length === deepestLambda) throw new Refused('lambdas nested too deeply');
    this.variables.push([variable, type]);
    this.expect(predicate, 'bool');
    this.variables.pop();
  }

  private function(name: string, inputs: readonly Tree[]): string {
    if (name === 'CaseInsensitiveString' && inputs.length === 1 && inputs[0] !== undefined) {
      return this.expect(inputs[0], 'string');
    }
    const texts = inputs.map(literalText);
    for (const input of inputs) this.typeOf(input);
    const [first = '', second = '', third = ''] = texts;
    if (this.clause === 'time' && name === 'Timestamp' && inputs.length === 1) {
      readTimestamp(first);
      return 'timestamp';
    }
    if (this.clause === 'time' && name === 'CronSpan' && inputs.length === 3) {
      readCron(first);
      readDurationMinutes(second);
      readZone(third);
      return 'bool';
    }
    throw new Refused(`no function ${name} of ${inputs.length} inputs`);
  }

  private binary(operator: string, left: Tree, right: Tree): string {
    if (operator === '&&' || operator === '||') {
      this.expect(left, 'bool');
      return this.expect(right, 'bool');
    }
    const [one, other] = [this.typeOf(left), this.typeOf(right)];
    if (operator === 'in') {
      const element = other === 'dynamic' ? 'dynamic' : elementOf(other, 'list');
      if (element === undefined) throw new Refused(`in ${other}`);
      return this.isAmong(one, element);
    }
    const isOrder = operator !== '==' && operator !== '!=';
    if (isOrder && !(ordered.includes(one) && ordered.includes(other))) {
      throw new Refused(`${one} ${operator} ${other}`);
    }
    if (!areComparable(one, other)) throw new Refused(`${one} ${operator} ${other}`);
    return 'bool';
  }

  private isAmong(type: string, element: string): string {
    if (!areComparable(type, element)) throw new Refused(`${type} among ${element}`);
    return 'bool';
  }

  private expect(tree: Tree, type: string): string {
    const found = this.typeOf(tree);
    if (!fits(found, type)) throw new Refused(`expected ${type}, found ${found}`);
    return type;
  }
}

/** A struct, or a list or map of structs. */
function isStructured(type: string): boolean {
  const element = elementOf(type, 'list') ?? elementOf(type, 'map');
  return element === undefined ? !scalars.includes(type) : isStructured(element);
}

function fits(found: string, wanted: string): boolean {
  return found === wanted || found === 'dynamic';
}

/** Scalars of one type can be compared for equality; int and uint are compared by value. */
function areComparable(one: string, other: string): boolean {
  if (!scalars.includes(one) || !scalars.includes(other)) return false;
  if (one === other || one === 'dynamic' || other === 'dynamic') return true;
  const pair = [one, other].sort().join(' ');
  return pair === 'int uint' || pair === 'uint wide';
}

function typeOfLiteral(value: boolean | bigint | string): string {
  if (typeof value !== 'bigint') return typeof value === 'string' ? 'string' : 'bool';
  if (value >= -(2n ** 127n) && value < 2n ** 127n) return 'int';
  if (value >= 0n && value < 2n ** 256n) return 'wide';
  throw new Refused(`${value} is no int and no uint`);
}

function literalText(tree: Tree): string {
  if (tree.kind === 'literal' && typeof tree.value === 'string') return tree.value;
  throw new Refused('expected a text written out');
}
