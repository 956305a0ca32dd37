/** True if everything runs. `npm test` samples what CONTRIBUTING lists, and CI only the looks of pages. */
export const isWhole = process.env.FLORIN_TEST_WHOLE === 'true'

/** The repetitions of a random test: a share, or all of them with FLORIN_TEST_WHOLE, as in `.ci/run`. */
export const timesOf = (share: number, whole: number): number => (isWhole ? whole : share)

/** The turn of this run, which CI draws: `npm test` always has the same. */
const turn = Number(process.env.FLORIN_TEST_TURN ?? 0)

/**
 * The looks in which to check the row `at` of a table: all with FLORIN_TEST_WHOLE, otherwise one, in turn.
 * With as many rows as looks, each row and each look has its turn.
 */
export const waysOf = <Way>(ways: readonly Way[], at: number): readonly Way[] =>
  isWhole ? ways : [ways[(at + turn) % ways.length]!]
