import type { PageStart } from '../../domain/page.ts'
import { parsePageToken, presentPage } from '../page-token.ts'

/** The URL of a page with these parameters. Empty parameters are left out. */
export function urlWith(path: string, parameters: Record<string, string>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '')
  const query = new URLSearchParams(given).toString()
  return query === '' ? path : `${path}?${query}`
}

/** The URLs of the newest page and of the next older one; null if there is no such page. */
export function pageLinks(
  path: string,
  parameters: Record<string, string>,
  current: PageStart | null,
  next: PageStart | null,
): { newestUrl: string | null; olderUrl: string | null } {
  const { nextPageToken } = presentPage({ items: [], next }, () => null)
  return {
    newestUrl: current === null ? null : urlWith(path, parameters),
    olderUrl: nextPageToken === undefined ? null : urlWith(path, { ...parameters, page: nextPageToken }),
  }
}

/** The place where a page starts, from the token in its URL. */
export const pageStart = (token: string | undefined): PageStart | null =>
  parsePageToken(token === '' ? undefined : token)
