// The tree of an expression. The parser creates it, the checker adds types to all nodes, the printer writes
// it as text.

import type { Type } from './types.ts';

/** A parsed expression. */
export type Expression = Tree<SourceSpan>;

/** An expression with known names and matching types. */
export type CheckedExpression = Tree<SourceSpan & { readonly type: Type }>;

/** Offsets in bytes of the UTF-8 text. */
export type SourceSpan = {
  readonly start: number;
  readonly end: number;
  /**
   * The position that a message points at: the operator, the name after the dot, the bracket; else the
   * start.
   */
  readonly position: number;
};

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in';
export type LambdaName = 'all' | 'any' | 'filter';
export type MethodName = 'contains' | 'count';
export type FunctionName = 'Timestamp' | 'CronSpan' | 'CaseInsensitiveString';

/** A node; `Mark` contains the members of all nodes. */
export type Tree<Mark> = Mark &
  (
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'integer'; readonly value: bigint }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'list'; readonly items: readonly Tree<Mark>[] }
    /** A root of the clause, or the variable of an enclosing lambda. */
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'member'; readonly target: Tree<Mark>; readonly name: string }
    | {
        readonly kind: 'method';
        readonly target: Tree<Mark>;
        readonly name: MethodName;
        readonly items: readonly Tree<Mark>[];
      }
    | {
        readonly kind: 'lambda';
        readonly target: Tree<Mark>;
        readonly name: LambdaName;
        readonly variable: string;
        readonly variablePosition: number;
        readonly predicate: Tree<Mark>;
      }
    | { readonly kind: 'index'; readonly target: Tree<Mark>; readonly index: Tree<Mark> }
    | {
        readonly kind: 'slice';
        readonly target: Tree<Mark>;
        readonly from: Tree<Mark>;
        readonly to: Tree<Mark>;
      }
    | {
        readonly kind: 'function';
        readonly name: FunctionName;
        readonly items: readonly Tree<Mark>[];
      }
    | { readonly kind: 'not'; readonly operand: Tree<Mark> }
    | {
        readonly kind: 'comparison';
        readonly operator: ComparisonOperator;
        readonly left: Tree<Mark>;
        readonly right: Tree<Mark>;
      }
    /** Two or more operands of a chain: `a && b && c` is one node. */
    | { readonly kind: 'and' | 'or'; readonly operands: readonly Tree<Mark>[] }
  );
