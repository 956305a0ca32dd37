import { createPublicKey, generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { State } from '../state.ts'

const KIND = 'gateway.key'
const KEY_BITS = 2048
export const KEY_ID = 'v1'

export interface Signer {
  /** PEM */
  publicKey(): Promise<string>
  /** base64 */
  sign(text: string): Promise<string>
}

/** Signs with one key, which is made when it is first needed and kept. */
export function openSigner(state: State): Signer {
  let making: Promise<string> | null = null

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
    const kept = state.get<string>(KIND, KEY_ID)
    if (kept !== null) return Promise.resolve(kept)
    making ??= make()
    return making
  }

  return {
    publicKey: async () =>
      createPublicKey(await privateKey())
        .export({ type: 'spki', format: 'pem' })
        .toString(),
    sign: async text => sign('sha256', Buffer.from(text), await privateKey()).toString('base64'),
  }
}
