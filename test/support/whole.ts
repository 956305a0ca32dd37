/** How often a test repeats what chance decides: a share, or all of it with FLORIN_TEST_WHOLE, as in `.ci/run`. */
export const timesOf = (share: number, whole: number): number =>
  process.env.FLORIN_TEST_WHOLE === 'true' ? whole : share
