import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { encodeMonero, readMonero } from '../../src/networks/addresses/monero.ts'

const Point = ed25519.Point
const H = Point.fromHex('8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94')
const bytesOf = utf8ToBytes
const toScalar = (...bytes: Uint8Array[]): bigint =>
  Point.Fn.create(bytesToNumberLE(keccak_256(concatBytes(...bytes))))

/** A wallet's subaddress at an index, derived as in Monero's own wallet. */
export function subaddressOf(payout: string, viewKey: string, index: number): string {
  const indexBytes = new Uint8Array(8)
  new DataView(indexBytes.buffer).setUint32(4, index, true)
  const viewBytes = hexToBytes(viewKey)
  const shift = Point.BASE.multiply(toScalar(bytesOf('SubAddr\0'), viewBytes, indexBytes))
  const D = Point.fromBytes(readMonero(payout)!.spendKey).add(shift)
  return encodeMonero(D.toBytes(), D.multiply(viewScalar(viewKey)).toBytes(), 'subaddress')
}

/** A wallet made from a seed: the parts that a server knows, and the spend key for payers. */
export function merchantOf(seed: string) {
  const spend = toScalar(bytesOf(`spend ${seed}`))
  const view = toScalar(bytesOf(`view ${seed}`))
  const viewKey = bytesToHex(numberToBytesLE(view, 32))
  const payout = encodeMonero(Point.BASE.multiply(spend).toBytes(), Point.BASE.multiply(view).toBytes())
  const own = (index: number) => ({
    address: subaddressOf(payout, viewKey, index),
    source: { kind: 'viewkey', payout, viewKey, index },
  })
  return { payout, viewKey, spendKey: bytesToHex(numberToBytesLE(spend, 32)), own }
}

export interface Destination {
  address: string
  amount: bigint
  /** the amount in the transaction; its commitment is to the true amount */
  claimed?: bigint
}

interface PaymentOptions {
  /** the payer's secret, which makes the one-time keys */
  secret?: bigint
  unlockTime?: number
  /** bytes before the keys in the extra field */
  before?: number[]
}

export interface FakeTransaction {
  hash: string
  // biome-ignore lint/suspicious/noExplicitAny: a daemon's JSON, which tests change at will
  json: any
}

let made = 0

/** A transaction as a daemon reports it, without the payer's proofs. */
export function payment(destinations: Destination[], options: PaymentOptions = {}): FakeTransaction {
  made += 1
  const { secret = toScalar(bytesOf(`secret ${made}`)), unlockTime = 0, before = [] } = options
  const isSingle = destinations.length === 1
  const paid = destinations.map((destination, index) => {
    const { kind, spendKey, viewKey } = readMonero(destination.address)!
    const base = kind === 'subaddress' ? Point.fromBytes(spendKey) : Point.BASE
    const own = isSingle ? secret : Point.Fn.create(secret + BigInt(index))
    const shared = Point.fromBytes(viewKey).multiply(own).clearCofactor().toBytes()
    return { ...output(destination, spendKey, shared, index), key: base.multiply(own).toBytes() }
  })
  const main = isSingle ? paid[0]!.key : Point.BASE.multiply(secret).toBytes()
  const additional = isSingle ? [] : [4, paid.length, ...paid.flatMap(({ key }) => [...key])]
  const json = {
    version: 2,
    unlock_time: unlockTime,
    vin: [{ key: { amount: 0, key_offsets: [], k_image: '00'.repeat(32) } }],
    vout: paid.map(({ vout }) => vout),
    extra: [...before, 1, ...main, ...additional],
    rct_signatures: {
      type: 6,
      txnFee: made,
      ecdhInfo: paid.map(({ ecdh }) => ecdh),
      outPk: paid.map(({ commitment }) => commitment),
    },
  }
  return { hash: bytesToHex(keccak_256(bytesOf(JSON.stringify(json)))), json }
}

function output(
  { amount, claimed = amount }: Destination,
  spend: Uint8Array,
  shared: Uint8Array,
  at: number,
) {
  const indexBytes = Uint8Array.of(at)
  const scalar = toScalar(shared, indexBytes)
  const bytes = numberToBytesLE(scalar, 32)
  const key = Point.fromBytes(spend).add(Point.BASE.multiply(scalar))
  const pad = keccak_256(concatBytes(bytesOf('amount'), bytes))
  const commitment = Point.BASE.multiply(toScalar(bytesOf('commitment_mask'), bytes)).add(
    H.multiplyUnsafe(amount),
  )
  const viewTag = keccak_256(concatBytes(bytesOf('view_tag'), shared, indexBytes)).slice(0, 1)
  return {
    vout: {
      amount: 0,
      target: { tagged_key: { key: bytesToHex(key.toBytes()), view_tag: bytesToHex(viewTag) } },
    },
    ecdh: { amount: bytesToHex(numberToBytesLE(claimed, 8).map((byte, index) => byte ^ pad[index]!)) },
    commitment: bytesToHex(commitment.toBytes()),
  }
}

export const viewScalar = (viewKey: string): bigint => bytesToNumberLE(hexToBytes(viewKey))
