import { createHmac, timingSafeEqual } from 'node:crypto'
import { InvalidProof } from '../port.ts'

const HEADER = 'stripe-signature'
const TOLERANCE_SECONDS = 300
const SIGNATURES_MAX = 16

/**
 * Verifies that Stripe signed exactly this body within the last five minutes. While an endpoint's secret is
 * rotated, there are two signatures, and one of them must fit. Throws InvalidProof.
 */
export function verifySignature(headers: Headers, body: Uint8Array, secret: string, now: number): void {
  const parts = (headers.get(HEADER) ?? '').split(',').map(part => part.trim().split('='))
  const valuesOf = (name: string) => parts.flatMap(([key, value = '']) => (key === name ? [value] : []))
  const [time = ''] = valuesOf('t')
  if (!/^[0-9]{1,12}$/.test(time)) throw new InvalidProof('the signature has no time')
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  const isSigned = valuesOf('v1')
    .slice(0, SIGNATURES_MAX)
    .map(value => Buffer.from(/^[0-9a-f]{64}$/.test(value) ? value : '', 'hex'))
    .some(given => given.length === expected.length && timingSafeEqual(given, expected))
  if (!isSigned) throw new InvalidProof('the signature is wrong')
  if (Math.abs(now / 1000 - Number(time)) > TOLERANCE_SECONDS) throw new InvalidProof('the signature is old')
}
