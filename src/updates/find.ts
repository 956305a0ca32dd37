import { downloadIndex, type Fetch, type Patience } from './download.ts'
import { type NewerVersion, newerThan, parseReleases } from './releases.ts'

/** The server of releases, and the version and system for which it is asked. */
export interface Source {
  fetch: Fetch
  /** URL of the folder of index.json */
  url: string
  version: string
  /** system and processor, such as linux-x64 */
  target: string
  patience?: Patience
}

export const indexUrl = (url: string): string => `${url.replace(/\/+$/, '')}/index.json`

/**
 * Returns the newest version if it is newer than this one; otherwise null. The request does not contain the
 * version of this installation.
 */
export async function findNewer({
  fetch,
  url,
  version,
  target,
  patience,
}: Source): Promise<NewerVersion | null> {
  const text = await downloadIndex(fetch, indexUrl(url), patience)
  return newerThan(version, target, parseReleases(text))
}
