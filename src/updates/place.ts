import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * The files of an executable and its updates. All are in one folder, so that a rename can replace one by
 * another.
 */
export interface Place {
  executable: string
  /** the executable before the last update */
  previous: string
  download: string
  /**
   * exists while an update is not complete: from before the swap of the executables until the new one is
   * ready
   */
  journal: string
  lock: string
}

export const placeOf = (executable: string): Place => ({
  executable,
  previous: `${executable}.previous`,
  download: `${executable}.download`,
  journal: `${executable}.update.json`,
  lock: `${executable}.update.lock`,
})

const newOf = (file: string): string => `${file}.new`

/** All files of a place, including those that an interrupted update may have left. */
export const filesOf = ({ executable, previous, download, journal, lock }: Place): string[] => [
  ...[executable, previous, newOf(previous), download, journal, newOf(journal), lock],
]

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Replaces a file in one step: after a power failure, it is either the old or the new one. */
function replace(from: string, to: string): void {
  renameSync(from, to)
  sync(dirname(to))
}

/** Gives a download the owner and the mode of the executable that it will replace. */
export function dressAs(download: string, executable: string): void {
  const { mode, uid, gid } = statSync(executable)
  chmodSync(download, mode & 0o777)
  if (process.getuid?.() === 0) chownSync(download, uid, gid)
  sync(download)
}

/**
 * Keeps the executable as the previous one, and replaces it by the download. There is an executable at every
 * moment.
 */
export function install({ executable, previous, download }: Place): void {
  const kept = newOf(previous)
  rmSync(kept, { force: true })
  try {
    linkSync(executable, kept)
  } catch {
    // Some file systems do not support hard links.
    copyFileSync(executable, kept)
    dressAs(kept, executable)
  }
  replace(kept, previous)
  replace(download, executable)
}

/** Puts the previous executable back. */
export const takeBack = ({ executable, previous }: Place): void => replace(previous, executable)

/** The versions of an update that is running or was interrupted. */
export interface Journal {
  from: string
  to: string
}

export function writeJournal({ journal }: Place, { from, to }: Journal): void {
  const file = newOf(journal)
  writeFileSync(file, JSON.stringify({ from, to }))
  sync(file)
  replace(file, journal)
}

/** Returns the update that was interrupted; null if there is none. */
export function readJournal({ journal }: Place): Journal | null {
  try {
    const { from, to } = JSON.parse(readFileSync(journal, 'utf8'))
    return { from: String(from), to: String(to) }
  } catch {
    return null
  }
}

/** Removes the temporary files of an update, and its journal. */
export function tidy({ download, previous, journal }: Place): void {
  for (const file of [download, newOf(previous), newOf(journal), journal]) rmSync(file, { force: true })
}
