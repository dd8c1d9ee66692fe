// Bounds on the size and evaluation steps of expressions.

/** Maximum size of a clause in bytes of UTF-8. An allowlist of 300 addresses has about 14,000. */
export const maximumTextBytes = 131_072;

/** Maximum nesting of parentheses, brackets and `!`, and maximum height of the tree. */
export const maximumNesting = 100;

/** Maximum number of elements in a literal list. */
export const maximumListElements = 10_000;

/** Maximum nesting of lambdas. */
export const maximumLambdas = 8;

/**
 * Maximum steps of one evaluation, which is not interrupted. A step is a node of a predicate for one element,
 * an element of a searched, sliced or created list, or 8 characters of a sliced, lowered or compared text; it
 * takes 15 to 75 ns. The length of the text bounds nodes outside lambdas and lists.
 */
export const maximumSteps = 250_000;

/** Other requests run between two conditions that take more steps together. */
export const stepsOfPiece = 50_000;

/**
 * Maximum steps of all evaluations in a decision, including nodes outside lambdas. Decisions without lambdas
 * over long lists take less than a tenth.
 */
export const maximumDecisionSteps = 1_000_000;

/**
 * Maximum steps of a query over waiting activities. The first activity is always included; the page ends when
 * the steps are used up.
 */
export const maximumQuerySteps = 5_000_000;

/** Steps for parsing a byte of a stored request. */
export const stepsPerByte = 2;

/** Number of characters that one step reads. */
export const charactersOfStep = 8;

export const minimumInt = -(2n ** 127n);
export const maximumInt = 2n ** 127n - 1n;
export const maximumUint = 2n ** 256n - 1n;

/** Maximum digits of an integer literal without leading zeros. */
export const maximumIntegerDigits = maximumUint.toString().length;
