import { downloadIndex, type Fetch, type Patience } from './download.ts'
import { type NewerVersion, newerThan, parseReleases } from './releases.ts'

/** Where releases are, and the version and system that they are for. */
export interface Source {
  fetch: Fetch
  /** folder of index.json */
  url: string
  version: string
  /** system and processor, such as linux-x64 */
  target: string
  patience?: Patience
}

export const indexUrl = (url: string): string => `${url.replace(/\/+$/, '')}/index.json`

/** The newest version, if it is newer than this one; otherwise null. The request names no version. */
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
