import { encodeBase58Check, readBase58Check, versions } from './base58-check.ts'

/** An account by the 20 bytes that an EVM chain would know it by. */
export const encodeTron = (account: Uint8Array): string => encodeBase58Check(versions.trc20.account, account)

/** Those 20 bytes; null for what is no address. The zero account is one that nobody has the key of. */
export function readTron(address: string): Uint8Array | null {
  const found = readBase58Check(versions.trc20, address)
  return found?.hash.some(byte => byte !== 0) ? found.hash : null
}
