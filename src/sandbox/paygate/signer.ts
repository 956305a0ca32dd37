import { createPublicKey, generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { State } from '../state.ts'

const KIND = 'gateway.key'
const KEY_BITS = 2048
export const KEY_ID = 'v1'

export interface Signer {
  /** The public key, as PEM. */
  publicKey(): Promise<string>
  /** Signs a message. Returns the signature in base64. */
  sign(message: string): Promise<string>
}

/** Signs with a key that is generated at first use and stored. */
export function openSigner(state: State): Signer {
  let pendingKey: Promise<string> | null = null

  async function make(): Promise<string> {
    const { privateKey } = await promisify(generateKeyPair)('rsa', {
      modulusLength: KEY_BITS,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    state.put(KIND, KEY_ID, privateKey)
    return privateKey
  }

  function privateKey(): Promise<string> {
    const stored = state.get<string>(KIND, KEY_ID)
    if (stored !== null) return Promise.resolve(stored)
    pendingKey ??= make()
    return pendingKey
  }

  return {
    publicKey: async () =>
      createPublicKey(await privateKey())
        .export({ type: 'spki', format: 'pem' })
        .toString(),
    sign: async message => sign('sha256', Buffer.from(message), await privateKey()).toString('base64'),
  }
}
