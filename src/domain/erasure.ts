/** Replaces the email address in erased data. The domain never exists (RFC 2606). */
export const erasedEmail = (number: number): string => `erased-${number}@erased.invalid`

const escaped = (text: string): string => RegExp.escape(text)

/** Every spelling of an address in text, JSON and URLs, in lower case. */
export const spellingsOf = (email: string): string[] => {
  const plain = email.toLowerCase()
  const inForm = new URLSearchParams({ email: plain }).toString().slice('email='.length)
  return [...new Set([plain, encodeURIComponent(plain), inForm].map(text => text.toLowerCase()))]
}

/**
 * An address must not start inside another address. It may follow an escape of JSON or of a URL, unless the
 * escaped character may be part of an address.
 */
const ESCAPED_WORD = '2b|2d|2e|5f|3[0-9]|[46][1-9a-f]|[57][0-9a]'
const ESCAPE = `\\\\[bfnrt]|\\\\u[0-9a-f]{4}|%(?!${ESCAPED_WORD})[0-9a-f]{2}`
const START = `(?<=^|[^a-z0-9._+-]|${ESCAPE})`
const END = '(?![a-z0-9_-]|[.][a-z0-9])'

/** Returns a function that replaces an address in a text, in every spelling. */
export function eraser(email: string, replacement: string): (text: string) => string {
  const pattern = new RegExp(`${START}(?:${spellingsOf(email).map(escaped).join('|')})${END}`, 'gi')
  return text => text.replace(pattern, replacement)
}
