import { generateKeyPairSync } from 'node:crypto'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spki = { type: 'spki', format: 'pem' } as const

/** PEM keys with which a gateway could sign callbacks, and unsuitable keys. */
export const gatewayKeys = {
  good: String(publicKey.export(spki)),
  short: String(short.publicKey.export(spki)),
  private: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  elliptic: String(curve.publicKey.export(spki)),
}
