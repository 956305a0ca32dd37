import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Json } from '../domain/metadata.ts'
import type { Secrets } from '../operations/context.ts'
import { SettingsError } from '../settings/read.ts'
import type { Storage } from '../storage/port.ts'
import { addKey, dropFormerKeys, makeKey, readKeys } from './secrets-file.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The stored form of credentials. `key` names the key, so that a wrong one is recognized. */
interface Sealed {
  sealed: string
  key: string
}

const nameOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 16)

const isSealed = (stored: Json): stored is Json & Sealed =>
  typeof (stored as Partial<Sealed> | null)?.sealed === 'string'

/**
 * Encrypts and decrypts credentials with the key in a file, which is created when the first credentials are
 * stored. Credentials that were encrypted for one row cannot be decrypted for another. If the known keys do
 * not fit, the file is read again, since another process may have changed the key.
 */
export function secretsOf(file: string): Secrets {
  let known: Buffer[] = []
  const keyNamed = (name: string): Buffer | undefined => known.find(key => nameOf(key) === name)
  function findKey(name: string): Buffer | undefined {
    const found = keyNamed(name)
    if (found) return found
    try {
      known = readKeys(file)
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
    }
    return keyNamed(name)
  }
  return {
    seal(credentials, row) {
      known = readKeys(file)
      const [key = makeKey(file)] = known
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(row))
      const text = cipher.update(JSON.stringify(credentials), 'utf8')
      const sealed = Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]).toString('base64')
      return { sealed, key: nameOf(key) }
    },
    open(stored, row) {
      if (!isSealed(stored)) return stored
      const own = findKey(stored.key)
      if (own === undefined) return null
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
    isSealed,
    addKey: () => addKey(file),
    dropFormerKeys: () => dropFormerKeys(file),
  }
}

/** The number of stored accounts with providers, and of those that the key decrypts. */
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
 * Refuses a key file that decrypts none of the stored credentials, because the setting names the wrong file.
 * A missing file is accepted, so that a server whose key was lost still takes all other payments.
 */
export async function checkSecrets(storage: Storage, secrets: Secrets, file: string): Promise<void> {
  const { sealed, opened } = await readSecretsState(storage, secrets)
  if (sealed === 0 || opened > 0 || readKeys(file).length === 0) return
  throw new SettingsError(
    `The key in ${file} does not open the stored credentials of providers. Set FLORIN_SECRETS_FILE to the ` +
      'file that was used before. If it is lost, move this file away, start, and enter the accounts again.',
  )
}
