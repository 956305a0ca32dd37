import { invalid } from '../domain/errors.ts'
import type { Page, PageStart } from '../domain/page.ts'

const pattern = /^(\d{1,16})[.]([0-9a-zA-Z-]{1,64})$/

/** Parses a page token: the place where the previous page ended, in a form that is opaque to callers. */
export function parsePageToken(token: string | undefined): PageStart | null {
  if (token === undefined) return null
  const [, at, id] = pattern.exec(Buffer.from(token, 'base64url').toString('latin1')) ?? []
  if (id === undefined || formatPageToken({ at: Number(at), id }) !== token) {
    throw invalid('/pageToken', 'must be a nextPageToken from an earlier response')
  }
  return { at: Number(at), id }
}

const formatPageToken = ({ at, id }: PageStart): string => Buffer.from(`${at}.${id}`).toString('base64url')

export const presentPage = <T, U>({ items, next }: Page<T>, present: (item: T) => U) => ({
  items: items.map(present),
  nextPageToken: next ? formatPageToken(next) : undefined,
})

export const PAGE_SIZE = 20
