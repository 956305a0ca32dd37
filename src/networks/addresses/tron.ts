import { encodeBase58Check, readBase58Check } from './base58-check.ts'

const ACCOUNT = [0x41]

/** The address of an account, from the 20 bytes that an EVM chain would use. */
export const encodeTron = (account: Uint8Array): string => encodeBase58Check(ACCOUNT, account)

/** Those 20 bytes; null if it is not an address, or the zero account, which nobody has the key of. */
export function readTron(address: string): Uint8Array | null {
  const found = readBase58Check([ACCOUNT], address)
  return found?.hash.some(byte => byte !== 0) ? found.hash : null
}
