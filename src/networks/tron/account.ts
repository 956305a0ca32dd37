import type { Asset } from '../../domain/asset.ts'
import { assert } from '../../domain/errors.ts'
import type { Json } from '../../domain/metadata.ts'
import { encodeTron, readTron } from '../addresses/tron.ts'
import { malformedResponse } from '../rpc/json.ts'

/** The 20 bytes that the chain's EVM knows an address by, as "0x…" in lower case. */
export function toAccount(address: string): string {
  const account = readTron(address)
  assert(account, 'an address of TRON was checked before it came here')
  return `0x${Buffer.from(account).toString('hex')}`
}

export const toAddress = (account: string): string =>
  encodeTron(Uint8Array.from(Buffer.from(account.slice(2), 'hex')))

/** An account as TRON's own interfaces write it: "T…", or hexadecimal with or without its version byte 41. */
export function readAccount(json: Json | undefined): string {
  if (typeof json !== 'string') throw malformedResponse('an address')
  const [, hex] = /^(?:0x)?(?:41)?([0-9a-f]{40})$/i.exec(json) ?? []
  if (hex) return `0x${hex.toLowerCase()}`
  if (readTron(json) === null) throw malformedResponse('an address')
  return toAccount(json)
}

/** An asset whose contract is written as the EVM writes it. */
export const byAccount = (asset: Asset): Asset =>
  asset.contract === null ? asset : { ...asset, contract: toAccount(asset.contract) }
