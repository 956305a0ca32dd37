import { base58 } from '@scure/base'
import type { Json } from '../../domain/metadata.ts'
import { type MinedTransaction, type MovingFees, NetworkError } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import type { Endpoints } from '../rpc/failover.ts'
import { malformedResponse, readArray, readCount, readObject } from '../rpc/json.ts'
import { readWithTwo } from '../rpc/second-answer.ts'
import type { ChainConfig } from './chain-config.ts'
import { readBase58, readLamports } from './responses.ts'
import { health } from './rpc-calls.ts'
import { TRANSFERS_MAX } from './seed-transfer.ts'

/** The protocol's fee of each signature. Transactions of a sweep offer no priority fee. */
const SIGNATURE_LAMPORTS = 5000n
/**
 * The highest plausible fee in lamports, a hundred times what wallets offer for priority when the chain is
 * busy.
 */
const FEE_MAX = 100_000_000
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const MS = 1000

const addressOf = (json: Json): string =>
  readBase58(typeof json === 'string' ? json : readObject(json, 'an account').pubkey, KEY_BYTES, 'an account')

/** Reads a final transaction with the balances that it changed; null if the node does not have it. */
function read(json: Json, { assets }: ChainConfig): MinedTransaction | null {
  if (json === null) return null
  const { blockTime, meta, transaction } = readObject(json, 'a transaction')
  const { err, fee, preBalances, postBalances } = readObject(meta, 'the result of a transaction')
  const { message } = readObject(transaction, 'a transaction')
  const keys = readArray(readObject(message, 'a message').accountKeys, 'accounts').map(addressOf)
  const before = readArray(preBalances, 'balances').map(readLamports)
  const after = readArray(postBalances, 'balances').map(readLamports)
  if (before.length !== keys.length || after.length !== keys.length)
    throw malformedResponse('a balance for each account')
  const lamports = readLamports(fee)
  if (lamports === 0 || lamports > FEE_MAX) throw new NetworkError(`reports a fee of ${lamports} lamports`)
  const coin = assets.find(({ contract }) => contract === null)
  const left = keys.map((address, index) => ({ address, change: (before[index] ?? 0) - (after[index] ?? 0) }))
  // The first account pays the fee. It is never a payment address, so it is left out.
  const emptied = err === null ? left.slice(1).filter(({ change }) => change > 0) : []
  return {
    hasFailed: err !== null,
    feeAtomic: BigInt(lamports),
    minedAt: readCount(blockTime, 'a time') * MS,
    touched: keys,
    moved: coin
      ? emptied.map(({ address, change }) => ({ address, assetId: coin.id, amountAtomic: BigInt(change) }))
      : [],
  }
}

async function readTransaction(node: Node, config: ChainConfig, txId: string) {
  const [, found] = await ask(node, [
    health,
    {
      call: {
        method: 'getTransaction',
        params: [
          txId,
          { commitment: 'finalized', encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 },
        ],
      },
      read: (json: Json) => read(json, config),
    },
  ])
  return found
}

function isSignature(text: string): boolean {
  try {
    return text.length <= 2 * SIGNATURE_BYTES && base58.decode(text).length === SIGNATURE_BYTES
  } catch {
    return false
  }
}

/** The fees of moving money from seed addresses. */
export const movingFees = (endpoints: Endpoints<Node>, config: ChainConfig): MovingFees => ({
  rate: async () => ({ perUnit: SIGNATURE_LAMPORTS, perTransaction: 0n }),
  usualFee: ({ perUnit }, { addresses }) => BigInt(Math.ceil(addresses / TRANSFERS_MAX)) * perUnit,
  isTransactionId: isSignature,
  readTransaction: txId => readWithTwo(endpoints, node => readTransaction(node, config, txId)),
})
