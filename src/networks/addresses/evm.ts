import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { assert } from '../../domain/errors.ts'
import { evmAddressPattern } from '../../domain/wallet.ts'

const ADDRESS_BYTES = 20

/** Returns the 20 bytes of a valid address. */
export function evmBytes(address: string): Uint8Array {
  assert(evmAddressPattern.test(address), 'an EVM address is 0x and 40 hexadecimal digits')
  return hexToBytes(address.slice(2))
}

/** Writes an address with its checksum (EIP-55): the case of each letter is a bit of the address's hash. */
export function checksumAddress(address: string | Uint8Array): string {
  const bytes = typeof address === 'string' ? evmBytes(address) : address
  assert(bytes.length === ADDRESS_BYTES, 'an EVM address has 20 bytes')
  const digits = bytesToHex(bytes)
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  return (
    '0x' + [...digits].map((digit, index) => (hash[index]! >= '8' ? digit.toUpperCase() : digit)).join('')
  )
}

/**
 * True for an address with the checksum of EIP-55, or in a single case, which has no checksum. False for the
 * zero address.
 */
export function isEvmAddress(address: string): boolean {
  if (!evmAddressPattern.test(address)) return false
  const digits = address.slice(2)
  if (/^0+$/.test(digits)) return false
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true
  return address === checksumAddress(address)
}
