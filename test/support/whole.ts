/** `.ci/run` tries everything. `npm test` leaves out what repeats, and says in CONTRIBUTING what that is. */
export const isWhole = process.env.FLORIN_TEST_WHOLE === 'true'

/** How often a test repeats what chance decides: a share, or all of it with FLORIN_TEST_WHOLE, as in `.ci/run`. */
export const timesOf = (share: number, whole: number): number => (isWhole ? whole : share)

/**
 * In which ways to look at the row `at` of a table: in all with FLORIN_TEST_WHOLE, otherwise in the one whose turn
 * it is. With as many rows as ways, each row and each way has its turn.
 */
export const waysOf = <Way>(ways: readonly Way[], at: number): readonly Way[] =>
  isWhole ? ways : [ways[at % ways.length]!]
