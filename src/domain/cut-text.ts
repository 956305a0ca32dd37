/**
 * Cuts a text to a length in UTF-16 code units, but not inside a character: many services refuse half of one.
 */
export const cutText = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
