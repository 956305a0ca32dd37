import type { Asset } from '../../domain/asset.ts'
import { assert } from '../../domain/errors.ts'
import type { Json } from '../../domain/metadata.ts'
import { encodeTron, readTron } from '../addresses/tron.ts'
import { malformedResponse } from '../rpc/json.ts'

/** Writes an address in the form of the EVM: "0x…" in lower case. */
export function toEvmAddress(address: string): string {
  const bytes = readTron(address)
  assert(bytes, 'an address of TRON is checked before it is used')
  return `0x${Buffer.from(bytes).toString('hex')}`
}

export const toTronAddress = (evmAddress: string): string =>
  encodeTron(Uint8Array.from(Buffer.from(evmAddress.slice(2), 'hex')))

/** Reads an address ("T…", or hexadecimal with or without the version byte 41) into the form of the EVM. */
export function readAddress(json: Json | undefined): string {
  if (typeof json !== 'string') throw malformedResponse('an address')
  const [, hex] = /^(?:0x)?(?:41)?([0-9a-f]{40})$/i.exec(json) ?? []
  if (hex) return `0x${hex.toLowerCase()}`
  if (readTron(json) === null) throw malformedResponse('an address')
  return toEvmAddress(json)
}

/** Returns the asset with its contract in the form of the EVM. */
export const withEvmContract = (asset: Asset): Asset =>
  asset.contract === null ? asset : { ...asset, contract: toEvmAddress(asset.contract) }
