import { equalBytes } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58, createBase58check } from '@scure/base'
import type { WalletNetwork } from '../../domain/asset.ts'
import { type WalletFault, walletFaultText } from '../../domain/wallet-fault.ts'
import { decoded } from '../addresses/decoded.ts'
import { curves } from './curves.ts'

/** A string that no addresses can be derived from. The message says what to do and never repeats it. */
export class KeyError extends Error {
  constructor(readonly fault: WalletFault) {
    super(walletFaultText(fault))
  }
}

/** The string is, or contains, something that can spend money. Keep it out of every log. */
export class PrivateKeyError extends KeyError {
  constructor() {
    super({ kind: 'privateKey' })
  }
}

const KEY_BYTES = 32
const WIF_VERSIONS_FROM = 0x80

/** No wallet has a shorter or longer seed phrase: BIP39 has 12 to 24 words, Monero 13 or 25. */
const phrase = /^\p{L}+(?:\s+\p{L}+){11,24}$/u

/** How extended private keys of all coins and scripts begin. One with a mistyped letter can be guessed. */
const extended = /(?<![1-9A-Za-z])(?:[xyztuvYZUV]prv|[LMt]tpv|[dt]gpv)[1-9A-Za-z]{20}/

const hexadecimal = /^(?:0x)?[0-9a-f]{64}$/i

const base58Check = createBase58check(sha256)

/** Wallet import format: a version, the key, and often a 1 for a compressed public key. */
function isWif(text: string): boolean {
  const bytes = decoded(() => base58Check.decode(text))
  if (bytes === null || bytes[0]! < WIF_VERSIONS_FROM) return false
  return bytes.length === 1 + KEY_BYTES || (bytes.length === 2 + KEY_BYTES && bytes.at(-1) === 1)
}

/** Solana wallets export the private key together with its public key. */
function isKeyPair(text: string): boolean {
  const bytes = decoded(() => base58.decode(text))
  if (bytes?.length !== 2 * KEY_BYTES) return false
  return equalBytes(curves.ed25519.getPublicKey(bytes.slice(0, KEY_BYTES)), bytes.slice(KEY_BYTES))
}

/** People write the words below each other, with numbers, or with commas between them. */
const withoutNumbers = (text: string): string =>
  text
    .split(/[\s,;]+/)
    .map(word => word.replace(/^\d{1,2}[.):]?/, ''))
    .join(' ')

export const isSeedPhrase = (text: string): boolean => phrase.test(withoutNumbers(text).trim())

/**
 * Whether a string looks like anything that can spend money. Monero's private view key, which cannot, looks
 * like the bare private keys of other networks.
 */
export function isPrivateKey(network: WalletNetwork, text: string): boolean {
  if (isSeedPhrase(text) || extended.test(text)) return true
  if (network !== 'xmr' && hexadecimal.test(text)) return true
  return isWif(text) || isKeyPair(text)
}
