import { bytesToHex } from '@noble/hashes/utils.js'
import { readBase58Check, type Version, versions } from '../addresses/base58-check.ts'
import { readCashAddr } from '../addresses/cash-addr.ts'
import { hrps, readSegwit } from '../addresses/segwit.ts'
import type { CoinName } from './coins.ts'

const payToKeyHash = (hash: Uint8Array): string => `76a914${bytesToHex(hash)}88ac`
const payToScriptHash = (hash: Uint8Array): string => `a914${bytesToHex(hash)}87`
const payToLongScriptHash = (hash: Uint8Array): string => `aa20${bytesToHex(hash)}87`

const OP_1_LESS_1 = 0x50

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0')

function segwitScript(hrp: string, address: string): string | null {
  const found = readSegwit(hrp, address)
  if (!found) return null
  const opcode = found.version === 0 ? 0 : OP_1_LESS_1 + found.version
  return hexByte(opcode) + hexByte(found.program.length) + bytesToHex(found.program)
}

function cashScript(address: string): string | null {
  const found = readCashAddr(address)
  if (!found) return null
  const scripts = { p2pkh: payToKeyHash, p2sh: payToScriptHash, p2sh32: payToLongScriptHash }
  return scripts[found.type](found.hash)
}

function base58Script(coin: CoinName, address: string): string | null {
  const accepted: Record<string, Version> = versions[coin]
  const found = readBase58Check(accepted, address)
  if (!found) return null
  return found.version === accepted.p2pkh ? payToKeyHash(found.hash) : payToScriptHash(found.hash)
}

/**
 * The output script that pays an address of the coin's main chain, in hexadecimal; null for what is no such
 * address. Payments are told by it, since nodes of private chains print addresses in another alphabet.
 */
export function scriptOf(coin: CoinName, address: string): string | null {
  const cash = coin === 'bitcoincash' ? cashScript(address) : null
  const segwit = coin === 'btc' || coin === 'ltc' ? segwitScript(hrps[coin], address) : null
  return cash ?? segwit ?? base58Script(coin, address)
}
