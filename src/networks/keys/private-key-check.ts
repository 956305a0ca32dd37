import { equalBytes } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58, createBase58check } from '@scure/base'
import type { WalletNetwork } from '../../domain/asset.ts'
import { type WalletFault, walletFaultText } from '../../domain/wallet-fault.ts'
import { decoded } from '../addresses/decoded.ts'
import { curves } from './curves.ts'

/** Thrown if no addresses can be derived from a text. The message never repeats the text. */
export class KeyError extends Error {
  constructor(readonly fault: WalletFault) {
    super(walletFaultText(fault))
  }
}

/** Thrown if a text is, or contains, a secret that can spend money. The text must not be logged. */
export class PrivateKeyError extends KeyError {
  constructor() {
    super({ kind: 'privateKey' })
  }
}

const KEY_BYTES = 32
const WIF_VERSIONS_FROM = 0x80

/** Matches a seed phrase, which has 12 to 24 words in BIP39, and 13 or 25 in Monero. */
const phrase = /^\p{L}+(?:\s+\p{L}+){11,24}$/u

/**
 * Matches the beginning of an extended private key of any coin and script. The checksum is not verified,
 * since a key with a mistyped letter can be guessed.
 */
const extended = /(?<![1-9A-Za-z])(?:[xyztuvYZUV]prv|[LMt]tpv|[dt]gpv)[1-9A-Za-z]{20}/

const hexadecimal = /^(?:0x)?[0-9a-f]{64}$/i

const base58Check = createBase58check(sha256)

/** True for the wallet import format: a version, the key, and often a 1 for a compressed public key. */
function isWif(text: string): boolean {
  const bytes = decoded(() => base58Check.decode(text))
  if (bytes === null || bytes[0]! < WIF_VERSIONS_FROM) return false
  return bytes.length === 1 + KEY_BYTES || (bytes.length === 2 + KEY_BYTES && bytes.at(-1) === 1)
}

/** True for a private key together with its public key, as Solana wallets export them. */
function isKeyPair(text: string): boolean {
  const bytes = decoded(() => base58.decode(text))
  if (bytes?.length !== 2 * KEY_BYTES) return false
  return equalBytes(curves.ed25519.getPublicKey(bytes.slice(0, KEY_BYTES)), bytes.slice(KEY_BYTES))
}

/** Removes the numbers, commas and line breaks that people write between the words of a seed phrase. */
const withoutNumbers = (text: string): string =>
  text
    .split(/[\s,;]+/)
    .map(word => word.replace(/^\d{1,2}[.):]?/, ''))
    .join(' ')

export const isSeedPhrase = (text: string): boolean => phrase.test(withoutNumbers(text).trim())

/**
 * True if a text looks like a secret that can spend money. On Monero, 64 hexadecimal digits are accepted,
 * since a private view key looks like the private keys of other networks.
 */
export function isPrivateKey(network: WalletNetwork, text: string): boolean {
  if (isSeedPhrase(text) || extended.test(text)) return true
  if (network !== 'xmr' && hexadecimal.test(text)) return true
  return isWif(text) || isKeyPair(text)
}
