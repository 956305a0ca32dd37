/** True in `.ci/run`, which runs everything. `npm test` leaves out repetitions, which CONTRIBUTING lists. */
export const isWhole = process.env.FLORIN_TEST_WHOLE === 'true'

/** Repetitions of a random test: a share, or the whole number with FLORIN_TEST_WHOLE, as in `.ci/run`. */
export const timesOf = (share: number, whole: number): number => (isWhole ? whole : share)

/**
 * The ways in which to look at the row `at` of a table: all with FLORIN_TEST_WHOLE, otherwise one, in turn.
 * With as many rows as ways, each row and each way has its turn.
 */
export const waysOf = <Way>(ways: readonly Way[], at: number): readonly Way[] =>
  isWhole ? ways : [ways[at % ways.length]!]
