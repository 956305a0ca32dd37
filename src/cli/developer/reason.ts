/** The reason why a request got no response, without the advice for programmers that Bun adds. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/ For more information, pass .*$/s, '')
