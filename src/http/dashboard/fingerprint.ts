import { createHash } from 'node:crypto'

/** A hash that shows if a part of a page differs from the one that a browser shows. */
export const fingerprintOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16)
