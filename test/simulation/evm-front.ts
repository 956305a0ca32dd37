import type { Json } from '../../src/domain/metadata.ts'
import { DEPLOYER, DEPLOYER_CODE } from '../../src/networks/evm/forwarder/forwarder.ts'
import { blockHash, type Chain, creditOf, INVENTED_BRANCH, type Transfer, transactionId } from './chain.ts'
import type { ActiveLie, Front, FrontRequest } from './endpoint.ts'

interface EvmChain {
  chain: Chain
  chainId: number
  finalityLag: number
  /** the asset of the chain's own coin */
  coin: string
  /** token contracts in lower case, by asset */
  contracts: ReadonlyMap<string, string>
  /** the addresses to which forged payments go */
  targets(): string[]
}

type Params = Json[]
interface View extends EvmChain {
  head: number
  lie: ActiveLie | null
}

export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** The length of the program that reads many balances, in hexadecimal digits before the addresses. */
const PROGRAM_DIGITS = 96
const RESULTS_MAX = 10_000
const FORGED_SERIAL = 0xf0f0f0
const FORGED_AMOUNT = 10n ** 12n

const quantity = (value: number | bigint): string => `0x${value.toString(16)}`
const word = (value: bigint): string => value.toString(16).padStart(64, '0')
/** The account that calls a forwarder to sweep it. The forwarder is a contract, and sends no transactions. */
const SWEEPER = `0x${'c'.repeat(40)}`
const topic = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`

class CallError extends Error {}

/** An Ethereum node, with the requests that Florin sends. */
export function evmFront(evm: EvmChain): Front {
  let calls = 0
  return {
    beginsScan: ({ body }) => body.includes('"latest",false'),
    answer({ body }: FrontRequest, lie) {
      const request = JSON.parse(body) as Call | Call[]
      const replies = [request].flat().map(call => reply(evm, call, calls++, lie))
      const ordered = lie?.name === 'reorder' ? replies.toReversed() : replies
      return { status: 200, text: JSON.stringify(Array.isArray(request) ? ordered : ordered[0]) }
    },
  }
}

interface Call {
  id: number
  method: string
  params: Params
}

function reply(evm: EvmChain, { id, method, params }: Call, ordinal: number, lie: ActiveLie | null): object {
  const answer = methods[method]
  try {
    if (!answer) throw new CallError(`the method ${method} does not exist`)
    const chain = lie?.name === 'inflate' ? evm.chain.inflated(lie.amount) : evm.chain
    const result = answer({ ...evm, chain, lie, head: headFor(evm, ordinal, lie) }, params)
    return { jsonrpc: '2.0', id, result }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return { jsonrpc: '2.0', id, error: { code: -32005, message: error.message } }
  }
}

function headFor({ chain }: EvmChain, ordinal: number, lie: ActiveLie | null): number {
  const isBehind = lie?.name === 'lag' || (lie?.name === 'splitLag' && goesToOldBackend(ordinal))
  return isBehind ? chain.head - lie.amount : chain.head
}

/** True for three of ten calls: a load balancer sends them to a backend that is behind. */
export const goesToOldBackend = (ordinal: number): boolean => ((ordinal * 2_654_435_761) >>> 16) % 10 < 3

export const farHeads = [4e8, 2 ** 52, Number.MAX_SAFE_INTEGER] as const

const methods: Record<string, (view: View, params: Params) => Json> = {
  eth_chainId: ({ chainId }) => quantity(chainId),
  eth_getBlockByNumber: (view, [block, isFull]) => blockOf(view, block as string, isFull === true),
  eth_getLogs: (view, [filter]) => logsOf(view, filter as unknown as Filter),
  eth_getTransactionReceipt: (view, [hash]) => receiptOf(view, hash as string),
  eth_getBalance: (view, [address, block]) => quantity(balanceAt(view, view.coin, address, block)),
  eth_getTransactionCount: () => '0x0',
  eth_getCode: (view, [address]) => codeOf(view, String(address).toLowerCase()),
  eth_call: (view, [call, block]) => callAt(view, call as { to?: string; data: string }, block),
}

/** Payout wallets have no code. */
function codeOf({ contracts }: View, address: string): string {
  if (address === DEPLOYER.toLowerCase()) return DEPLOYER_CODE
  return [...contracts.values()].includes(address) ? '0x60' : '0x'
}

function blockOf(view: View, block: string, isFull: boolean): Json {
  const { chain, head, lie, finalityLag } = view
  const isTip = block === 'latest'
  if (isTip && lie?.name === 'farHead')
    return header(farHeads[lie.amount]!, inventedHash(0), chain.timeOf(head))
  if (isTip && lie?.name === 'lostTip') {
    return header(head + lie.amount, inventedHash(head), chain.timeOf(head))
  }
  const isFar = lie?.name === 'farTip'
  const top = isFar || lie?.name === 'ahead' ? head + lie.amount : head
  const height = isTip ? top : block === 'finalized' ? (isFar ? top : head) - finalityLag : Number(block)
  if (height > top) return null
  if (height > head) return { ...header(height, inventedHash(height), chain.timeOf(head)), transactions: [] }
  const transfers = isFull ? chain.between(height, height).map(transfer => transactionOf(view, transfer)) : []
  return { ...header(height, chain.hashOf(height), chain.timeOf(height)), transactions: transfers }
}

const inventedHash = (height: number): string => blockHash(INVENTED_BRANCH, height)

const header = (height: number, hash: string, at: number) => ({
  number: quantity(height),
  hash: `0x${hash}`,
  timestamp: quantity(Math.floor(at / 1000)),
})

function transactionOf({ coin, contracts }: View, transfer: Transfer): Json {
  const { asset, from, to, amount, kind } = transfer
  const isDirect = asset === coin && kind !== 'internal' && kind !== 'flush'
  return {
    hash: `0x${transactionId(transfer)}`,
    from: kind === 'flush' ? SWEEPER : from,
    to: isDirect ? to : (contracts.get(asset) ?? from),
    value: quantity(isDirect ? amount : 0n),
    input: isDirect ? '0x' : '0x01',
  }
}

interface Filter {
  address: string[]
  topics: (null | string | string[])[]
  fromBlock: string
  toBlock: string
}

interface LogEntry {
  transfer: Transfer
  contract: string
  topics: string[]
}

/** The log of a transfer, for tokens and for forwarders that paid out the coin; null if there is no log. */
function entryOf({ contracts, coin }: View, transfer: Transfer): LogEntry | null {
  const { asset, from, to, kind, looks } = transfer
  if (looks === 'failed') return null
  if (asset === coin) return kind === 'flush' ? { transfer, contract: from, topics: [] } : null
  return { transfer, contract: contracts.get(asset)!, topics: [TRANSFER, topic(from), topic(to)] }
}

const matches = ({ address, topics }: Filter, entry: LogEntry): boolean =>
  address.includes(entry.contract) &&
  topics.every((wanted, index) => {
    const own = entry.topics[index]
    return wanted === null || (own !== undefined && (wanted === own || wanted.includes(own)))
  })

function logsOf(view: View, filter: Filter): Json {
  const { chain, lie, head } = view
  if (lie?.name === 'refuseLogs') throw new CallError('query returned more than 10000 results')
  if (lie?.name === 'omit') return []
  const [from, to] = [Number(filter.fromBlock), Math.min(head, Number(filter.toBlock))]
  const real = chain.between(from, to)
  const entries = [...real, ...forged(view).filter(({ height }) => height >= from && height <= to)]
    .flatMap(transfer => entryOf(view, transfer) ?? [])
    .filter(entry => matches(filter, entry))
  const count = entries.reduce((sum, { transfer }) => sum + transfer.count, 0)
  if (count > RESULTS_MAX) throw new CallError('query returned more than 10000 results')
  const logs = entries.flatMap(entry => logsOfEntry(view, entry))
  if (lie?.name === 'reorder') logs.reverse()
  return lie?.name === 'repeat' ? [...logs, ...logs] : logs
}

/** Payments that only a lying endpoint reports. If one has no receipt, its transaction is invented. */
export function forged({
  chain,
  lie,
  targets,
  contracts,
  finalityLag,
  head,
}: Omit<View, 'chainId' | 'coin'>): Transfer[] {
  if (lie?.name !== 'forge' && lie?.name !== 'invent') return []
  const height = lie.name === 'forge' ? head - finalityLag : head - lie.amount
  const [asset = ''] = contracts.keys()
  return targets().map((to, index) => ({
    serial: FORGED_SERIAL + index,
    to,
    from: `0x${'e'.repeat(40)}`,
    asset,
    amount: FORGED_AMOUNT,
    height: Math.min(height, chain.head),
    count: 1,
    kind: 'payment',
  }))
}

const logsOfEntry = (view: View, entry: LogEntry): Json[] =>
  Array.from({ length: entry.transfer.count }, (_, index) => logOf(view, entry, index))

const logOf = ({ chain }: View, { transfer, contract, topics }: LogEntry, index: number): Json => ({
  address: contract,
  topics,
  data: `0x${word(transfer.amount)}`,
  blockNumber: quantity(transfer.height),
  blockHash: `0x${chain.hashOf(transfer.height)}`,
  transactionHash: `0x${transactionId(transfer)}`,
  logIndex: quantity(transfer.serial * 20_000 + index),
})

function receiptOf(view: View, hash: string): Json {
  const own = (view.lie?.name === 'forge' ? forged(view) : []).concat(view.chain.between(0, view.head))
  const transfer = own.find(one => `0x${transactionId(one)}` === hash)
  if (!transfer) return null
  const entry = entryOf(view, transfer)
  return {
    blockHash: `0x${view.chain.hashOf(transfer.height)}`,
    status: transfer.looks === 'failed' ? '0x0' : '0x1',
    gasUsed: '0x5208',
    effectiveGasPrice: '0x1',
    logs: entry ? logsOfEntry(view, entry) : [],
  }
}

function balanceAt(view: View, asset: string, address: Json | undefined, block: Json | undefined): bigint {
  const { chain, head, lie } = view
  const height = block === 'latest' ? head : Number(block)
  // With the lie `farTip`, invented blocks have balances too, as from a backend that is ahead of the others.
  const isInvented = lie?.name === 'farTip' && height <= chain.head + lie.amount
  if (height > chain.head && !isInvented) throw new CallError('header not found')
  const own = String(address).toLowerCase()
  const invented = lie?.name === 'forge' ? forged(view).filter(one => one.height <= height) : []
  return chain
    .between(0, Math.min(height, head))
    .concat(invented)
    .reduce((sum, transfer) => {
      if (transfer.asset !== asset) return sum
      const sent = transfer.amount * BigInt(transfer.count)
      return sum + (transfer.to === own ? creditOf(transfer) : 0n) - (transfer.from === own ? sent : 0n)
    }, 0n)
}

function callAt(view: View, { to, data }: { to?: string; data: string }, block: Json | undefined): Json {
  if (to === undefined) {
    if (!data.startsWith('0x42602052602f')) throw new CallError('execution reverted')
    const height = Number(block)
    if (height > view.head) throw new CallError('header not found')
    const addresses = data.slice(PROGRAM_DIGITS).match(/.{40}/g) ?? []
    const balances = addresses.map(address => balanceAt(view, view.coin, `0x${address}`, block))
    return `0x${[BigInt(view.chain.timeOf(height) / 1000), ...balances].map(word).join('')}`
  }
  const asset = [...view.contracts].find(([, contract]) => contract === to.toLowerCase())?.[0]
  if (asset === undefined) throw new CallError('execution reverted')
  if (data.startsWith('0x313ce567')) return `0x${word(6n)}`
  if (!data.startsWith('0x70a08231')) throw new CallError('execution reverted')
  return `0x${word(balanceAt(view, asset, `0x${data.slice(34, 74)}`, block))}`
}
