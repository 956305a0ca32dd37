import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export const base64url = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** Makes a key on the curve P-256, as PEM. */
export const newKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()

/** The key that signs the requests of an account (RFC 8555, section 6.2), with ES256. */
export class AccountKey {
  readonly #key: KeyObject
  readonly #jwk: { crv: string; kty: string; x: string; y: string }
  /** hash of the public key (RFC 7638), with which the answer to each challenge ends */
  readonly thumbprint: string

  /** Throws an Error if `pem` is not a private key on P-256. */
  constructor(pem: string) {
    this.#key = createPrivateKey(pem)
    const { crv, kty, x, y } = this.#key.export({ format: 'jwk' })
    if (crv !== 'P-256' || kty !== 'EC' || !x || !y) throw new Error('the account key is not on P-256')
    // RFC 7638 hashes exactly these members, in this order.
    this.#jwk = { crv, kty, x, y }
    this.thumbprint = createHash('sha256').update(JSON.stringify(this.#jwk)).digest('base64url')
  }

  /**
   * Signs a request. The head names the account; if `account` is null, it contains the public key instead. A
   * payload of null makes the request one that reads (POST-as-GET).
   */
  sign(payload: unknown, head: { url: string; nonce: string; account: string | null }): string {
    const { url, nonce, account } = head
    const signer = account === null ? { jwk: this.#jwk } : { kid: account }
    const protectedPart = base64url(JSON.stringify({ alg: 'ES256', ...signer, nonce, url }))
    const payloadPart = payload === null ? '' : base64url(JSON.stringify(payload))
    const signature = sign('sha256', Buffer.from(`${protectedPart}.${payloadPart}`), {
      key: this.#key,
      dsaEncoding: 'ieee-p1363',
    })
    return JSON.stringify({
      protected: protectedPart,
      payload: payloadPart,
      signature: base64url(signature),
    })
  }
}
