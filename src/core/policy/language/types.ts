// The types of the language.

import type { StructName } from './namespaces.ts';

/**
 * `dynamic` is a value inside a map, whose type is known at evaluation only. `wide` is an integer
 * literal that no `int` can hold: it is comparable with `uint` alone.
 */
export type Type =
  | { readonly kind: ScalarName }
  | { readonly kind: 'list' | 'map'; readonly element: Type }
  | { readonly kind: 'struct'; readonly struct: StructName };

export type ScalarName = 'bool' | 'int' | 'uint' | 'wide' | 'string' | 'timestamp' | 'dynamic';
