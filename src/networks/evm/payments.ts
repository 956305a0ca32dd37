import type { Asset } from '../../domain/asset.ts'
import type { Json } from '../../domain/metadata.ts'
import type { ChainConfig } from '../evm-like/chain-config.ts'
import type { Header } from '../evm-like/rpc-calls.ts'
import { settledHeight, type Tip } from '../evm-like/tip.ts'
import type { TokenDeposit } from '../evm-like/token-transfers.ts'
import type { DetectedPayment } from '../port.ts'
import type { CoinDeposit } from './coin-deposits.ts'

/**
 * The index of a coin payment, which no log can have: a transaction can pay an address in the coin and emit
 * logs, whose indices begin at 0.
 */
const COIN_INDEX = 'value'

/**
 * Returns the depth of a payment, from the tip of the same scan and the latest reading of the payment's
 * block.
 */
function depth(
  asset: Asset,
  block: Header,
  tip: Tip,
): Omit<DetectedPayment, 'txId' | 'txIndex' | 'amountAtomic' | 'txIn' | 'evidence'> {
  return {
    assetId: asset.id,
    confirmations: tip.head.height - block.height + 1,
    final: block.height <= settledHeight(asset, tip),
    height: block.height,
    paidAt: block.at,
  }
}

const evidenceOf = (
  { chainId }: ChainConfig,
  block: Header,
  tip: Tip,
  details: { [key: string]: Json },
): Json => ({
  chainId,
  blockHash: block.hash,
  blockNumber: block.height,
  headNumber: tip.head.height,
  headHash: tip.head.hash,
  finalizedNumber: tip.finalized?.height ?? null,
  ...details,
})

export function tokenPayment(
  config: ChainConfig,
  { asset, amount, log }: TokenDeposit,
  block: Header,
  tip: Tip,
): DetectedPayment {
  const { contract, topics, bytes, txHash, index } = log
  return {
    ...depth(asset, block, tip),
    txId: txHash,
    txIndex: `${index}`,
    amountAtomic: amount,
    txIn: txHash,
    evidence: evidenceOf(config, block, tip, {
      kind: 'log',
      transactionHash: txHash,
      logIndex: index,
      address: contract,
      topics,
      data: bytes,
    }),
  }
}

/**
 * Makes one payment for each transaction to the address, and one for all money from contracts in the block.
 */
export function coinPayments(
  config: ChainConfig,
  asset: Asset,
  address: string,
  { amount, transfers }: CoinDeposit,
  block: Header,
  tip: Tip,
): DetectedPayment[] {
  const direct = transfers.map(
    ({ hash, from, to, value }): DetectedPayment => ({
      ...depth(asset, block, tip),
      txId: hash,
      txIndex: COIN_INDEX,
      amountAtomic: value,
      txIn: hash,
      evidence: evidenceOf(config, block, tip, {
        kind: 'transaction',
        transactionHash: hash,
        from,
        to,
        value: value.toString(),
      }),
    }),
  )
  const internal = transfers.reduce((left, { value }) => left - value, amount)
  if (internal <= 0n) return direct
  return [
    ...direct,
    {
      ...depth(asset, block, tip),
      txId: `internal:${block.hash}:${address}`,
      txIndex: '0',
      amountAtomic: internal,
      txIn: null,
      evidence: evidenceOf(config, block, tip, { kind: 'balance', address, risenBy: amount.toString() }),
    },
  ]
}
