import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { SettingsError } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'

const KEY_BYTES = 32
/**
 * The format of the file: one key in hexadecimal. While the key is being replaced, there are two: the new
 * key, then the former one, which still decrypts.
 */
const fileFormat = /^[0-9a-f]{64}\s*(?:\s[0-9a-f]{64}\s*)?$/

/** The file with the key that encrypts stored credentials. */
export const secretsFileOf = ({ secretsFile, dataDir }: Pick<Settings, 'secretsFile' | 'dataDir'>): string =>
  secretsFile || join(dataDir, 'secrets.key')

/** The keys in a file, the newest first; none if it is missing. Throws SettingsError if it cannot be used. */
export function readKeys(file: string): Buffer[] {
  if (!existsSync(file)) return []
  const text = contentOf(file)
  if (fileFormat.test(text)) return text.trim().split(/\s+/).map(toKey)
  throw new SettingsError(
    `FLORIN_SECRETS_FILE names ${file}, which is not a key file: 64 hexadecimal digits. Restore the file, ` +
      'or move it away: a new key is then made, and the credentials of providers have to be entered again.',
  )
}

const toKey = (text: string): Buffer => Buffer.from(text, 'hex')

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SettingsError(
      `FLORIN_SECRETS_FILE names ${file}, which cannot be read (${code}). It has to belong to the ` +
        'user that runs Florin.',
    )
  }
}

/**
 * Writes keys to a new file beside `file`. If root runs the command, the new file gets the owner of `like`,
 * so that the server can read it.
 */
function draftOf(file: string, keys: readonly Buffer[], like: string): string {
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  const text = keys.map(key => `${key.toString('hex')}\n`).join('')
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
  const { uid, gid } = statSync(like)
  if (process.getuid?.() === 0 && uid !== 0) chownSync(draft, uid, gid)
  return draft
}

/** Creates the first key. If two processes do so at the same time, both use the key of the first. */
export function makeKey(file: string): Buffer {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = draftOf(file, [randomBytes(KEY_BYTES)], dirname(file))
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  const [key] = readKeys(file)
  if (key === undefined) throw new SettingsError(`The key in ${file} was removed while it was made.`)
  return key
}

/** Replaces the file at once: a reader gets the former keys or the new ones. */
function replaceKeys(file: string, keys: readonly Buffer[]): void {
  const target = realpathSync(file)
  try {
    renameSync(draftOf(target, keys, target), target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SettingsError(`The key file ${target} cannot be replaced (${code}). Nothing was changed.`)
  }
}

/** Puts a new key before the present one, unless an interrupted change of the key has done so already. */
export function addKey(file: string): void {
  const [present, former] = readKeys(file)
  if (present === undefined) throw new SettingsError(`There is no key in ${file}.`)
  if (former === undefined) replaceKeys(file, [randomBytes(KEY_BYTES), present])
}

/** Removes all keys but the newest. */
export function dropFormerKeys(file: string): void {
  const [newest, former] = readKeys(file)
  if (newest && former) replaceKeys(file, [newest])
}
