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

/** The files of an executable and its updates. All are in one folder, so that one can replace another. */
export interface Place {
  executable: string
  /** the executable before the last update */
  previous: string
  download: string
  /** exists from before the executables change places until the new one is ready */
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

/** All files of a place, also those that an interrupted update left. */
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

/** Replaces a file in one step, of which a power failure leaves nothing or all. */
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

/** Keeps the executable as the previous one, and puts the download in its place. Either always exists. */
export function install({ executable, previous, download }: Place): void {
  const kept = newOf(previous)
  rmSync(kept, { force: true })
  try {
    linkSync(executable, kept)
  } catch {
    // Not every file system has links.
    copyFileSync(executable, kept)
    dressAs(kept, executable)
  }
  replace(kept, previous)
  replace(download, executable)
}

/** Puts the previous executable back. */
export const takeBack = ({ executable, previous }: Place): void => replace(previous, executable)

/** An update whose end is not known yet. */
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

/** The update that was interrupted; null if there is none. */
export function readJournal({ journal }: Place): Journal | null {
  try {
    const { from, to } = JSON.parse(readFileSync(journal, 'utf8'))
    return { from: String(from), to: String(to) }
  } catch {
    return null
  }
}

/** Removes what an interrupted update left. */
export function tidy({ download, previous, journal }: Place): void {
  for (const file of [download, newOf(previous), newOf(journal), journal]) rmSync(file, { force: true })
}
