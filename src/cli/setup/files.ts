import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

export interface Owner {
  uid: number
  gid: number
}

export const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

/** The text of a file; null if there is none. Throws if it is no file, such as a link. */
export function textOf(file: string): string | null {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (!found) return null
  if (!found.isFile()) throw new Error(`${file} is not a file.`)
  return readFileSync(file, 'utf8')
}

/** The name of a file until it is complete. */
const unfinished = (file: string): string =>
  join(dirname(file), `.${file.slice(dirname(file).length + 1)}.setup`)

/** Removes the unfinished file that a killed run has left. */
export const removeUnfinished = (file: string): void => rmSync(unfinished(file), { force: true })

/** Replaces a file at once and durably: after a crash, there is the former file or the new one. */
function putInPlace(file: string, mode: number, owner: Owner | null, write: (path: string) => void): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
  removeUnfinished(file)
  const path = unfinished(file)
  try {
    write(path)
    const handle = openSync(path, 'r')
    fchmodSync(handle, mode)
    if (owner) chownSync(path, owner.uid, owner.gid)
    fsyncSync(handle)
    closeSync(handle)
    renameSync(path, file)
  } finally {
    removeUnfinished(file)
  }
}

/** Writes a file. Nobody else can read its content before the file has its mode and its owner. */
export const writeText = (file: string, text: string, mode: number, owner: Owner | null = null): void =>
  putInPlace(file, mode, owner, path => writeFileSync(path, text, { mode: 0o600, flag: 'wx' }))

export const copyExecutable = (from: string, to: string): void =>
  putInPlace(to, 0o755, null, path => copyFileSync(from, path))

/** True if two files have the same bytes. */
export const isSame = (one: string, other: string): boolean =>
  hashOf(readFileSync(one)) === hashOf(readFileSync(other))

const modeOf = (path: string): number => lstatSync(path).mode & 0o777

/** Makes a folder for its owner alone. Returns false if there was such a folder already. */
export function makeFolder(folder: string, owner: Owner | null): boolean {
  const isNew = !existsSync(folder)
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 })
  if (isNew) mkdirSync(folder, { mode: 0o700 })
  const found = lstatSync(folder)
  const isOwned = owner === null || (found.uid === owner.uid && found.gid === owner.gid)
  if (!isOwned) giveTo(folder, owner)
  if (modeOf(folder) !== 0o700) chmodSync(folder, 0o700)
  else if (isOwned) return isNew
  return true
}

/** Changes the owner of a folder and of everything in it. Changes a link itself, and does not follow it. */
export function giveTo(path: string, owner: Owner): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (found.isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), owner)
  lchownSync(path, owner.uid, owner.gid)
}
