// Bounds on the size and the run time of an expression.

/** Bytes of UTF-8 in one clause. An allowlist of 300 addresses takes about 14,000. */
export const maximumTextBytes = 131_072;

/** Levels of nesting: parentheses, brackets and `!`, and the height of the tree they make. */
export const maximumNesting = 100;

/** Elements in one list that is written out. */
export const maximumListElements = 10_000;

/** Lambdas inside each other. */
export const maximumLambdas = 8;

/**
 * Steps of one evaluation. A step is one node of a predicate for one element; one element of a list that is
 * searched, cut or built; or 8 characters of a text that is cut, made small, or compared with one as long: 15
 * to 75 ns each. The length of the text bounds the nodes outside of lambdas and lists.
 */
export const maximumSteps = 1_000_000;

/**
 * Steps of all evaluations of one decision together, nodes outside of lambdas included. Other requests wait
 * for them. Without lambdas over long lists no decision takes a tenth of them.
 */
export const maximumDecisionSteps = 1_000_000;

/**
 * Steps of one query over waiting activities. The first activity is always answered; the page ends when the
 * steps are used up.
 */
export const maximumQuerySteps = 5_000_000;

/** Steps of reading a byte of a request again. */
export const stepsPerByte = 2;

/** Characters of a text that are read in one step. */
export const charactersOfStep = 8;

export const minimumInt = -(2n ** 127n);
export const maximumInt = 2n ** 127n - 1n;
export const maximumUint = 2n ** 256n - 1n;

/** Digits of the largest integer that can be written, leading zeros not counted. */
export const maximumIntegerDigits = maximumUint.toString().length;
