import { encodeBase58Check, readBase58Check } from './base58-check.ts'

const ACCOUNT = [0x41]

/** Returns the address of an account, given as the 20 bytes of its address on an EVM chain. */
export const encodeTron = (account: Uint8Array): string => encodeBase58Check(ACCOUNT, account)

/** Reads the 20 bytes of an address; null for any other text, and for the zero account, which nobody owns. */
export function readTron(address: string): Uint8Array | null {
  const found = readBase58Check([ACCOUNT], address)
  return found?.hash.some(byte => byte !== 0) ? found.hash : null
}
