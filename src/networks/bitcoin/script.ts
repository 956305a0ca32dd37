import { bytesToHex } from '@noble/hashes/utils.js'
import { type Destination, readBitcoin } from '../addresses/bitcoin.ts'
import { type CoinName, coins } from './coins.ts'

const OP_1_LESS_1 = 0x50

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0')

function scriptTo(destination: Destination): string {
  if (destination.type === 'witness') {
    const { version, program } = destination
    const opcode = version === 0 ? 0 : OP_1_LESS_1 + version
    return hexByte(opcode) + hexByte(program.length) + bytesToHex(program)
  }
  const hash = bytesToHex(destination.hash)
  return { p2pkh: `76a914${hash}88ac`, p2sh: `a914${hash}87`, p2sh32: `aa20${hash}87` }[destination.type]
}

/**
 * Returns the output script that pays an address of the coin's main chain, in hexadecimal; null for any other
 * text. Payments are matched by script, since nodes of private chains write addresses differently.
 */
export function scriptOf(coin: CoinName, address: string): string | null {
  const destination = readBitcoin(coins[coin].addressFormat, address)
  return destination && scriptTo(destination)
}
