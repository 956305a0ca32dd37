import type { Json } from '../../domain/metadata.ts'
import { type ChainConfig, coinOf, tokensOf } from '../evm-like/chain-config.ts'
import { readBytes, readNumber, readQuantity } from '../evm-like/hex.ts'
import { blockCall, type Header, headerAt, readHeader } from '../evm-like/rpc-calls.ts'
import { commonSettledHeight, requireFresh, tipQueries } from '../evm-like/tip.ts'
import { isFlush, isTransfer, senderOf, toTokenDeposits } from '../evm-like/token-transfers.ts'
import { type FeeRate, type MinedTransaction, type MovingFees, NetworkError } from '../port.ts'
import { ask, type Node, type Query } from '../rpc/batch.ts'
import type { Endpoints } from '../rpc/failover.ts'
import { readObject } from '../rpc/json.ts'
import { askUntil, firstPair, readWithTwo } from '../rpc/second-answer.ts'
import { deployedAddress } from './forwarder/forwarder.ts'
import { type Receipt, receiptOf } from './rpc-calls.ts'
import { USUAL_COIN_GAS, USUAL_DEPLOY_GAS, USUAL_TOKEN_GAS } from './sweep/calls.ts'

/**
 * The highest plausible gas price: 20,000 gwei, several times the highest price that any of the chains has
 * had.
 */
const PRICE_MAX = 20_000n * 10n ** 9n
/**
 * The highest plausible fee for a transaction's data, more than rollups have taken for a transaction of this
 * size.
 */
const DATA_FEE_MAX = 10n ** 17n
/**
 * The largest factor between the gas prices of two endpoints that is accepted. The prices differ by their
 * age.
 */
const DIFFERENCE_MAX = 5n

/**
 * The contract at which rollups of Optimism's kind report what a transaction costs on Ethereum. Other chains
 * have no code at this address.
 */
const DATA_FEE_ORACLE = '0x420000000000000000000000000000000000000F'
/** `getL1Fee(bytes)` with 250 bytes, about as many as the longest transaction of a sweep has. */
const DATA_FEE_OF = [
  '0x49948e0e',
  '20'.padStart(64, '0'),
  (250).toString(16).padStart(64, '0'),
  'ff'.repeat(250),
  '00'.repeat(6),
].join('')

const WORD_LENGTH = 66

/**
 * Reads a quantity; null for anything else, since a false fee must not make an endpoint for payments look
 * broken.
 */
function quantityOr(json: Json | undefined): bigint | null {
  try {
    return readQuantity(json)
  } catch {
    return null
  }
}

/**
 * The newest block with its base fee, which is 0 where the chain has no base fee, and null where it is
 * malformed.
 */
type NewestBlock = Header & { baseFee: bigint | null }

const newestBlock: Query<NewestBlock> = {
  call: blockCall('latest', false),
  read: json => ({
    ...readHeader(json),
    baseFee: quantityOr(readObject(json, 'a block').baseFeePerGas ?? '0x0'),
  }),
}

const gasPrice: Query<bigint | null> = {
  call: { method: 'eth_gasPrice', params: [] },
  read: quantityOr,
  onRefused: () => null,
}

const dataFee: Query<bigint | null> = {
  call: { method: 'eth_call', params: [{ to: DATA_FEE_ORACLE, data: DATA_FEE_OF }, 'latest'] },
  read: json => (typeof json === 'string' && json.length !== WORD_LENGTH ? 0n : quantityOr(json)),
  onRefused: () => 0n,
}

/** Reads the fees that a node reports; null if they cannot be true. */
async function readRate(node: Node, config: ChainConfig): Promise<FeeRate | null> {
  const [price, head, perTransaction] = await ask(node, [gasPrice, newestBlock, dataFee])
  requireFresh(config, { head, finalized: null })
  if (price === null || head.baseFee === null || perTransaction === null) return null
  const perUnit = larger(price, head.baseFee)
  const isPlausible = perUnit > 0n && perUnit <= PRICE_MAX && perTransaction <= DATA_FEE_MAX
  return isPlausible ? { perUnit, perTransaction } : null
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

const isSimilar = (a: bigint, b: bigint): boolean => larger(a, b) <= (a > b ? b : a) * DIFFERENCE_MAX

/** Returns the larger of two fees that are about the same; null if they are not. */
const agreed = (a: FeeRate | null, b: FeeRate | null): FeeRate | null =>
  a && b && isSimilar(a.perUnit, b.perUnit) && isSimilar(a.perTransaction, b.perTransaction)
    ? { perUnit: larger(a.perUnit, b.perUnit), perTransaction: larger(a.perTransaction, b.perTransaction) }
    : null

/** Reads fees until two endpoints report about the same. A single plausible answer counts alone. */
async function readAgreedRate(endpoints: Endpoints<Node>, config: ChainConfig): Promise<FeeRate> {
  const work = (node: Node) => readRate(node, config)
  const answers = await askUntil(endpoints, work, some => firstPair(some, agreed) !== null)
  const plausible = answers.filter(rate => rate !== null)
  const [one] = plausible
  if (!one) throw new NetworkError('no endpoint reports a plausible gas price')
  const rate = plausible.length === 1 ? one : firstPair(plausible, agreed)
  if (rate) return rate
  const prices = plausible.map(({ perUnit }) => perUnit).join(', ')
  throw new NetworkError(`the endpoints report very different fees: gas prices of ${prices} wei`)
}

/**
 * A receipt with its height and `dataFee`: what rollups take besides the execution fee; 0 on other chains.
 */
type FeeReceipt = Receipt & { height: number; dataFee: bigint }

/** Reads a receipt with these fields. Scans do not read the fields, since they must not depend on them. */
const feeReceiptOf = (txId: string): Query<FeeReceipt | null> => {
  const { call, read } = receiptOf(txId)
  return {
    call,
    read(json) {
      const receipt = read(json)
      if (receipt === null) return null
      const { blockNumber, l1Fee } = readObject(json, 'a receipt')
      return { ...receipt, height: readNumber(blockNumber), dataFee: readQuantity(l1Fee ?? '0x0') }
    },
  }
}

interface Call {
  to: string
  input: string
}

/** Reads the target and the calldata of a transaction; null if the node does not have it. */
const callOf = (txId: string): Query<Call | null> => ({
  call: { method: 'eth_getTransactionByHash', params: [txId] },
  read(json: Json) {
    if (json === null) return null
    const { to, input, data } = readObject(json, 'a transaction')
    return { to: typeof to === 'string' ? to : '', input: readBytes(input ?? data) }
  },
})

/**
 * Returns the amounts that left any addresses, by the logs of a receipt: forwarders log what they pay out.
 */
function movedIn(config: ChainConfig, { logs }: Receipt): MinedTransaction['moved'] {
  const coin = coinOf(config)
  const tokens = tokensOf(config)
  return logs.flatMap(log => {
    const address = senderOf(log)
    if (isFlush(log)) return coin ? [{ address, assetId: coin.id, amountAtomic: BigInt(log.bytes) }] : []
    if (!isTransfer(log)) return []
    return toTokenDeposits(log, tokens).map(({ asset, amount }) => ({
      address,
      assetId: asset.id,
      amountAtomic: amount,
    }))
  })
}

async function readTransaction(
  node: Node,
  config: ChainConfig,
  txId: string,
): Promise<MinedTransaction | null> {
  const [receipt, call, head, finalized] = await ask(node, [feeReceiptOf(txId), callOf(txId), ...tipQueries])
  if (!receipt || !call) return null
  requireFresh(config, { head, finalized })
  const { height } = receipt
  if (height > commonSettledHeight(config.assets, { head, finalized })) return null
  const [block] = await ask(node, [headerAt(height)])
  if (block?.hash !== receipt.blockHash) throw new NetworkError(`has two blocks at height ${height}`)
  const feeAtomic = receipt.fee + receipt.dataFee
  if (receipt.fee <= 0n) throw new NetworkError('reports no fee for a transaction')
  const moved = receipt.succeeded ? movedIn(config, receipt) : []
  // All senders count as touched, since a batch may move tokens that the table does not list.
  const senders = receipt.succeeded ? receipt.logs.map(senderOf) : []
  const deployed = deployedAddress({ to: call.to, data: call.input })
  return {
    hasFailed: !receipt.succeeded,
    feeAtomic,
    minedAt: block.at,
    touched: [call.to.toLowerCase(), ...(deployed ? [deployed.toLowerCase()] : []), ...new Set(senders)],
    moved,
  }
}

/** The fees of moving money from forwarders on one chain. */
export const movingFees = (endpoints: Endpoints<Node>, config: ChainConfig): MovingFees => ({
  rate: () => readAgreedRate(endpoints, config),
  usualFee({ perUnit, perTransaction }, { addresses, coins, tokens }) {
    const gas = addresses * USUAL_DEPLOY_GAS + coins * USUAL_COIN_GAS + tokens * USUAL_TOKEN_GAS
    return BigInt(gas) * perUnit + BigInt(addresses + coins + tokens) * perTransaction
  },
  isTransactionId: text => /^0x[0-9a-f]{64}$/i.test(text),
  readTransaction: txId => readWithTwo(endpoints, node => readTransaction(node, config, txId)),
})
