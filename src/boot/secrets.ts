import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Json } from '../domain/metadata.ts'
import type { Secrets } from '../operations/context.ts'
import { SettingsError } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import type { Storage } from '../storage/port.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const keyFormat = /^[0-9a-f]{64}\s*$/

/** What is stored in place of credentials. `key` names the key, so that a wrong one is recognized. */
interface Sealed {
  sealed: string
  key: string
}

/** The file with the key that encrypts stored credentials. */
export const secretsFileOf = ({ secretsFile, dataDir }: Pick<Settings, 'secretsFile' | 'dataDir'>): string =>
  secretsFile || join(dataDir, 'secrets.key')

const nameOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 16)

const isSealed = (stored: Json): stored is Json & Sealed =>
  typeof (stored as Partial<Sealed> | null)?.sealed === 'string'

function readKey(file: string): Buffer | null {
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8')
  if (keyFormat.test(text)) return Buffer.from(text.trim(), 'hex')
  throw new SettingsError(
    `FLORIN_SECRETS_FILE names ${file}, which is not a key file: 64 hexadecimal digits. Restore the file, ` +
      'or move it away: a new key is then made, and the credentials of providers have to be entered again.',
  )
}

/** Writes a new key. Of two processes that do so at the same time, both use the key of the first. */
function makeKey(file: string): Buffer {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  const key = readKey(file)
  if (key === null) throw new SettingsError(`The key in ${file} was removed while it was made.`)
  return key
}

/**
 * Encrypts credentials with the key in a file, which is made when the first are stored. What is encrypted for
 * one row opens in no other.
 */
export function secretsOf(file: string): Secrets {
  let known: Buffer | null = null
  const key = (): Buffer | null => {
    known ??= readKey(file)
    return known
  }
  return {
    seal(credentials, row) {
      known = key() ?? makeKey(file)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, known, nonce).setAAD(Buffer.from(row))
      const text = cipher.update(JSON.stringify(credentials), 'utf8')
      const sealed = Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]).toString('base64')
      return { sealed, key: nameOf(known) }
    },
    open(stored, row) {
      if (!isSealed(stored)) return stored
      const own = key()
      if (own === null || nameOf(own) !== stored.key) return null
      const bytes = Buffer.from(stored.sealed, 'base64')
      const [nonce, text] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, -TAG_BYTES)]
      try {
        const decipher = createDecipheriv(CIPHER, own, nonce, { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.from(row)).setAuthTag(bytes.subarray(-TAG_BYTES))
        return JSON.parse(decipher.update(text, undefined, 'utf8') + decipher.final('utf8'))
      } catch {
        return null
      }
    },
  }
}

/** How many accounts with providers are stored, and how many of them the key opens. */
export interface SecretsState {
  sealed: number
  opened: number
}

export async function readSecretsState(storage: Storage, secrets: Secrets): Promise<SecretsState> {
  const stored = await storage.read(tables => tables.providerAccounts.list())
  const sealed = stored.filter(({ credentials }) => isSealed(credentials))
  const opened = sealed.filter(
    ({ credentials, merchantId, provider }) =>
      secrets.open(credentials, `${merchantId} ${provider}`) !== null,
  )
  return { sealed: sealed.length, opened: opened.length }
}

/**
 * Refuses a key file that opens none of the stored credentials: the setting names the wrong file. A file that
 * is missing refuses nothing, so that a server whose key was lost goes on taking all other payments.
 */
export async function checkSecrets(storage: Storage, secrets: Secrets, file: string): Promise<void> {
  const { sealed, opened } = await readSecretsState(storage, secrets)
  if (sealed === 0 || opened > 0 || !existsSync(file)) return
  throw new SettingsError(
    `The key in ${file} does not open the stored credentials of providers. Set FLORIN_SECRETS_FILE to the ` +
      'file that was used before. If it is lost, move this file away, start, and enter the accounts again.',
  )
}
