const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of an authenticator app: RFC 6238, written independently of the product. */
export function codeAt(secret: string, step: number): string {
  let bits = 0n
  for (const letter of secret) bits = bits * 32n + BigInt(letters.indexOf(letter))
  const key = Buffer.from(bits.toString(16).padStart((secret.length * 5) / 4, '0'), 'hex')
  const counter = Buffer.from(step.toString(16).padStart(16, '0'), 'hex')
  const digest = new Bun.CryptoHasher('sha1', key).update(counter).digest()
  const number = Buffer.from(digest).readInt32BE(digest[19]! & 15) & 0x7fffffff
  return `${number}`.slice(-6).padStart(6, '0')
}
