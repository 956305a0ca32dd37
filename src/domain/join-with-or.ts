/** Joins names as in a sentence: "xpub, ypub or zpub". */
export const joinWithOr = (names: readonly string[]): string =>
  names.join(', ').replace(/, ([^,]*)$/, ' or $1')
