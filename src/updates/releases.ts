import { UpdateError } from './update-error.ts'
import { compareVersions, isPreview, isVersion } from './version.ts'

interface ReleaseFile {
  /** system and processor, such as linux-x64 */
  target: string
  url: string
  sha256: string
  /** the signature, as minisign writes it to a file */
  signature: string
}

export interface Release {
  version: string
  /** true if the release fixes a security problem of an earlier version */
  isSecurity: boolean
  file: ReleaseFile
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fault = (what: string): UpdateError => new UpdateError(`The list of releases is invalid: ${what}.`)

function fileOf(value: unknown): ReleaseFile {
  const file = isObject(value) ? value : {}
  const { target, url, sha256, signature } = file
  const texts = [target, url, sha256, signature]
  const isWhole = texts.every(text => typeof text === 'string')
  if (!isWhole || !/^[0-9a-f]{64}$/.test(String(sha256))) throw fault('a file lacks a field')
  return { target: `${target}`, url: `${url}`, sha256: `${sha256}`, signature: `${signature}` }
}

interface ListedRelease {
  version: string
  isSecurity: boolean
  files: ReleaseFile[]
}

/** Parses index.json. Throws an UpdateError if anything in it is not valid. */
export function parseReleases(text: string): ListedRelease[] {
  let index: unknown
  try {
    index = JSON.parse(text)
  } catch {
    throw fault('it is not JSON')
  }
  if (!isObject(index) || !Array.isArray(index.releases)) throw fault('"releases" is missing')
  return index.releases.map((value: unknown) => {
    const release = isObject(value) ? value : {}
    const { version, security, files } = release
    if (typeof version !== 'string' || !isVersion(version)) throw fault('a version is not one')
    if (typeof security !== 'boolean' || !Array.isArray(files)) throw fault(`${version} lacks a field`)
    return { version, isSecurity: security, files: files.map(fileOf) }
  })
}

export interface NewerVersion {
  release: Release
  /**
   * true if this release, or an earlier one that is newer than the given version, fixes a security problem
   */
  isSecurity: boolean
}

/**
 * Returns the newest release, with its file for the target; null if it is not newer than the version. Throws
 * an UpdateError if it has no such file. Previews are ignored.
 */
export function newerThan(version: string, target: string, releases: ListedRelease[]): NewerVersion | null {
  const newer = releases
    .filter(release => !isPreview(release.version) && compareVersions(release.version, version) > 0)
    .sort((one, other) => compareVersions(other.version, one.version))
  const [newest] = newer
  if (newest === undefined) return null
  const file = newest.files.find(one => one.target === target)
  if (file === undefined) throw new UpdateError(`Florin ${newest.version} has no file for ${target}.`)
  const { version: next, isSecurity } = newest
  const release = { version: next, isSecurity, file }
  return { release, isSecurity: newer.some(one => one.isSecurity) }
}
