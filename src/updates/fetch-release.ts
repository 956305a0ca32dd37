import { dirname } from 'node:path'
import { ask, type Environment } from './child.ts'
import { downloadFile } from './download.ts'
import { indexUrl, type Source } from './find.ts'
import { type PublicKey, verifyFile } from './minisign.ts'
import { dressAs, type Place } from './place.ts'
import type { Release } from './releases.ts'
import { UpdateError } from './update-error.ts'

const MB = 1024 * 1024
const USUAL_BYTES = 200 * MB
const SPARE_BYTES = 16 * MB
const VERSION_MS = 60_000

/** Throws an UpdateError if a folder has less than `bytes` of free space. */
export function needSpace(folder: string, bytes: number, freeBytes: (folder: string) => number): void {
  const free = freeBytes(folder)
  if (free >= bytes) return
  const [need, have] = [bytes, free].map(size => Math.ceil(size / MB))
  throw new UpdateError(
    `${folder} has ${have} MB of free space, and the update needs ${need}. Nothing was changed.`,
  )
}

interface Parts {
  place: Place
  source: Source
  key: PublicKey
  environment: Environment
  freeBytes(folder: string): number
}

/**
 * Throws an UpdateError if the trusted comment is for another version or target. It is the only part of the
 * index that is signed.
 */
function checkComment(comment: string, { version, file }: Release): void {
  const [, signed, target] = /^florin (\S+) (\S+)$/.exec(comment) ?? []
  if (signed === version && target === file.target) return
  throw new UpdateError(
    `The signature is for "${comment}", and not for "florin ${version} ${file.target}". Nothing was changed.`,
  )
}

/**
 * Downloads a release beside the executable. Checks its checksum, then its signature, and then that it runs.
 * Throws an UpdateError if the download or a check fails.
 */
export async function fetchRelease({ place, source, key, environment, freeBytes }: Parts, release: Release) {
  const { version, file } = release
  const folder = dirname(place.executable)
  const url = URL.parse(file.url, indexUrl(source.url))
  if (url === null) throw new UpdateError(`The list of releases has no URL for ${file.target}: ${file.url}.`)
  const enough = (bytes: number | null) => needSpace(folder, (bytes ?? USUAL_BYTES) + SPARE_BYTES, freeBytes)
  const { sha256, blake2b } = await downloadFile(
    source.fetch,
    url.href,
    place.download,
    enough,
    source.patience,
  )
  if (sha256 !== file.sha256) {
    throw new UpdateError(
      `${url.href} is not the file of the list: its checksum is ${sha256}. Nothing was changed.`,
    )
  }
  checkComment(verifyFile(key, file.signature, { path: place.download, blake2b }), release)
  dressAs(place.download, place.executable)
  const answer = await ask(place.download, ['version'], environment, VERSION_MS)
  if (answer.version !== version) {
    throw new UpdateError(
      `The file says that it is version ${answer.version}, and not ${version}. Nothing was changed.`,
    )
  }
}
