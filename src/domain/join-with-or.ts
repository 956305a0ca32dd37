/** Names as a sentence lists them: "xpub, ypub or zpub". */
export const joinWithOr = (names: readonly string[]): string =>
  names.join(', ').replace(/, ([^,]*)$/, ' or $1')
