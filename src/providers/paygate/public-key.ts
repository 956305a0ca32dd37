import { createPublicKey, type KeyObject } from 'node:crypto'

const KEY_BITS_MIN = 2048
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/

/** True if a text can be the ID of a key in a callback. */
export const isKeyId = (id: string): boolean => KEY_ID.test(id)

function readKey(pem: string): KeyObject | string {
  try {
    return createPublicKey(pem)
  } catch (error) {
    return `does not contain a PEM public key (${(error as Error).message})`
  }
}

/** Why a file cannot verify callbacks, as "has …"; null if it can. Never contains the key. */
export function publicKeyProblem(pem: string): string | null {
  // OpenSSL would derive the public key, but nobody except the gateway should have its private key.
  if (pem.includes('PRIVATE KEY-----')) return 'contains a private key. Ask the gateway for its public key'
  const key = readKey(pem)
  if (typeof key === 'string') return key
  if (key.asymmetricKeyType !== 'rsa') return 'does not contain an RSA key'
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  return bits < KEY_BITS_MIN ? `has a key of ${bits} bits; at least ${KEY_BITS_MIN} are needed` : null
}
