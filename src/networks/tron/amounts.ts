import type { Asset } from '../../domain/asset.ts'
import { readBytes, readQuantity, toTopic } from '../evm-like/hex.ts'
import { ask, type Query } from '../rpc/batch.ts'
import { toEvmAddress } from './address.ts'
import type { Node } from './node.ts'

const BALANCE_OF_SELECTOR = '0x70a08231'
const WORD_LENGTH = 66

/** Reads a balance, which TRON's nodes report for their newest block only; null if it is not reported. */
const balanceQuery = (contract: string | null, address: string): Query<bigint | null> =>
  contract === null
    ? {
        call: { method: 'eth_getBalance', params: [address, 'latest'] },
        read: readQuantity,
        onRefused: () => null,
      }
    : {
        call: {
          method: 'eth_call',
          params: [{ to: contract, data: BALANCE_OF_SELECTOR + toTopic(address).slice(2) }, 'latest'],
        },
        read: json => (readBytes(json).length === WORD_LENGTH ? BigInt(readBytes(json)) : null),
        onRefused: () => null,
      }

/** Reads the present balances of addresses in an asset; null without JSON-RPC. Throws NetworkError. */
export async function amountsAt(
  { rpc }: Node,
  { contract }: Asset,
  addresses: string[],
): Promise<(bigint | null)[]> {
  if (rpc === null) return addresses.map(() => null)
  const token = contract === null ? null : toEvmAddress(contract)
  return ask<(bigint | null)[]>(
    rpc,
    addresses.map(address => balanceQuery(token, toEvmAddress(address))),
  )
}
