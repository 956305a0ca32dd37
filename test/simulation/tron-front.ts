import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import type { Json } from '../../src/domain/metadata.ts'
import { encodeTron } from '../../src/networks/addresses/tron.ts'
import { blockHash, type Chain, INVENTED_BRANCH, type Transfer, transactionId } from './chain.ts'
import type { ActiveLie, Front, FrontRequest } from './endpoint.ts'
import { evmFront, farHeads, forged, goesToOldBackend, TRANSFER } from './evm-front.ts'

/** The interfaces of an endpoint: a node's JSON-RPC, an index of transactions, or both. */
export const tronInterfaces = ['both', 'index', 'rpc'] as const
export type TronInterfaces = (typeof tronInterfaces)[number]

interface TronParts {
  chain: Chain
  finalityLag: number
  interfaces: TronInterfaces
  coin: string
  /** token contracts in the hexadecimal form of EVM addresses, by asset */
  contracts: ReadonlyMap<string, string>
  targets(): string[]
}

interface View extends TronParts {
  lie: ActiveLie | null
  /** the newest block that the endpoint knows */
  head: number
}

type Answer = { status: number; text: string }

const MAINNET_ID = 0x2b6653dc
const GENESIS = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc'
const PAGE = 200
const NOT_FOUND: Answer = { status: 404, text: 'not found' }

export const toTronAddress = (hex: string): string =>
  encodeTron(Uint8Array.from(Buffer.from(hex.slice(2), 'hex')))
/** Converts an address, also the zero address, to which nothing can be paid. */
export const toHexAddress = (address: string): string =>
  `0x${Buffer.from(checked.decode(address).subarray(1)).toString('hex')}`
const checked = createBase58check(sha256)

const hex41 = (hex: string): string => `41${hex.slice(2)}`
const ok = (json: Json | object): Answer => ({ status: 200, text: JSON.stringify(json) })

/** A node of TRON, TronGrid, or both, with the requests that Florin sends. */
export function tronFront(parts: TronParts): Front {
  const rpc = evmFront({ ...parts, chainId: MAINNET_ID })
  let requests = 0
  const viewFor = (lie: ActiveLie | null): View => {
    const isBehind = lie?.name === 'lag' || (lie?.name === 'splitLag' && goesToOldBackend(requests++))
    return { ...parts, lie, head: isBehind ? parts.chain.head - lie.amount : parts.chain.head }
  }
  return {
    beginsScan: request =>
      parts.interfaces === 'index'
        ? request.path === '/walletsolidity/getnowblock'
        : request.path === '/jsonrpc' && rpc.beginsScan(request),
    answer(request, lie) {
      if (request.path === '/jsonrpc') {
        return parts.interfaces === 'index' ? NOT_FOUND : rpc.answer(request, lie)
      }
      return parts.interfaces === 'rpc' ? NOT_FOUND : answerRest(viewFor(lie), request)
    },
  }
}

function answerRest(view: View, { path, body }: FrontRequest): Answer {
  const { pathname, searchParams } = new URL(path, 'https://tron.example')
  const [, scope, method = ''] = pathname.split('/')
  if (scope === 'v1') return list(view, pathname, searchParams)
  const { value, num = 0 } = JSON.parse(body) as { value: string; num?: number }
  const top = scope === 'walletsolidity' ? view.head - view.finalityLag : view.head
  if (method === 'getnowblock') return ok(newest(view, top))
  if (method === 'getblockbynum') return ok(blockAt(view, num))
  const transfer = view.lie?.name === 'unknown' ? undefined : findTransfer(view, value, top)
  if (!transfer) return ok({})
  if (method === 'gettransactioninfobyid') return ok(outcomeOf(view, transfer))
  return method === 'gettransactionbyid' ? ok(transactionOf(view, transfer)) : NOT_FOUND
}

function newest({ chain, lie, head, finalityLag }: View, top: number): object {
  if (lie?.name === 'farTip')
    return header(top + lie.amount, blockHash(INVENTED_BRANCH, top + lie.amount), chain.timeOf(top))
  const isHead = top > head - finalityLag
  const at = chain.timeOf(top)
  const invented = lie?.name === 'lostTip' || lie?.name === 'ahead' ? lie.amount : 0
  if (isHead && lie?.name === 'farHead')
    return header(farHeads[lie.amount]!, blockHash(INVENTED_BRANCH, 0), at)
  if (isHead && invented > 0) return header(top + invented, blockHash(INVENTED_BRANCH, top), at)
  return header(top, chain.hashOf(top), at)
}

function blockAt({ chain, head }: View, num: number): object {
  if (num === 0) return { blockID: GENESIS, block_header: { raw_data: {} } }
  return num > head ? {} : header(num, chain.hashOf(num), chain.timeOf(num))
}

const header = (number: number, blockID: string, timestamp: number) => ({
  blockID,
  block_header: { raw_data: { number, timestamp } },
})

const forgedBy = (view: View): Transfer[] => (view.lie?.name === 'forge' ? forged(view) : [])

const findTransfer = (view: View, id: string, top: number): Transfer | undefined =>
  [...forgedBy(view), ...view.chain.between(0, top)].find(one => transactionId(one) === id)

function outcomeOf({ chain, coin, contracts }: View, transfer: Transfer): object {
  const { asset, from, to, amount, count, height, kind, looks } = transfer
  const failed = { result: 'FAILED', receipt: { result: 'OUT_OF_ENERGY' } }
  const moved = { caller_address: hex41(from), transferTo_address: hex41(to) }
  return {
    id: transactionId(transfer),
    blockNumber: height,
    blockTimeStamp: chain.timeOf(height),
    receipt: asset === coin && kind === 'payment' ? {} : { result: 'SUCCESS' },
    ...(looks === 'failed' ? failed : {}),
    ...(asset !== coin &&
      looks !== 'failed' && {
        log: Array.from({ length: count }, () => ({
          address: contracts.get(asset)!.slice(2),
          topics: [TRANSFER.slice(2), topic(from), topic(to)],
          data: amount.toString(16).padStart(64, '0'),
        })),
      }),
    ...(kind === 'internal' && {
      internal_transactions: [
        { ...moved, callValueInfo: [{ callValue: Number(amount) }], ...(looks && { rejected: true }) },
      ],
    }),
  }
}

const topic = (address: string): string => address.slice(2).padStart(64, '0')

function transactionOf({ coin, contracts }: View, transfer: Transfer): object {
  const { asset, from, to, amount, kind, looks } = transfer
  const isDirect = asset === coin && kind !== 'internal'
  const value = isDirect
    ? { owner_address: hex41(from), to_address: hex41(to), amount: Number(amount) }
    : { owner_address: hex41(from), contract_address: hex41(contracts.get(asset) ?? from) }
  const type = isDirect ? 'TransferContract' : 'TriggerSmartContract'
  return {
    txID: transactionId(transfer),
    ret: [{ contractRet: looks === 'failed' ? 'OUT_OF_ENERGY' : 'SUCCESS' }],
    raw_data: { contract: [{ type, parameter: { value } }] },
  }
}

/** The transfers of an address in the index, newest first. */
function list(view: View, pathname: string, query: URLSearchParams): Answer {
  const { chain, lie, head } = view
  const [, , , address = '', , tokens] = pathname.split('/')
  const own = toHexAddress(address)
  const since = Number(query.get('min_timestamp'))
  const listed = lie?.name === 'lateLists' ? head - lie.amount : head
  const contract = query.get('contract_address')
  const known = lie?.name === 'omit' ? [] : [...forgedBy(view), ...chain.between(0, listed)]
  const entries = [...known, ...inventedFor(view, own)]
    .filter(one => one.to === own && chain.timeOf(one.height) >= since)
    .filter(one => (tokens === 'trc20') === (one.asset !== view.coin))
    .filter(one => tokens !== 'trc20' || one.looks === undefined)
    .filter(one => contract === null || view.contracts.get(one.asset) === toHexAddress(contract))
    .toSorted((a, b) => (lie?.name === 'reorder' ? a.height - b.height : b.height - a.height))
    .flatMap(one => Array.from({ length: copiesOf(one, tokens, lie) }, () => one))
  const from = Number(query.get('fingerprint') ?? 0)
  const to = from + Math.min(PAGE, Number(query.get('limit')))
  return ok({
    data: entries.slice(from, to).map(one => entryOf(view, one)),
    success: true,
    meta: to < entries.length ? { fingerprint: `${to}` } : {},
  })
}

/** The number of entries of a transfer: an index lists each log of a token separately. */
const copiesOf = ({ count }: Transfer, tokens: string | undefined, lie: ActiveLie | null): number =>
  (tokens ? count : 1) * (lie?.name === 'repeat' ? 2 : 1)

/** An invented payment, which is in the index and unknown to nodes. */
function inventedFor(view: View, to: string): Transfer[] {
  if (view.lie?.name !== 'invent') return []
  return forged(view).filter(one => one.to === to)
}

function entryOf(view: View, transfer: Transfer): object {
  const { chain, coin, contracts } = view
  const { asset, from, to, amount, kind, height } = transfer
  const block_timestamp = chain.timeOf(height)
  if (asset !== coin) {
    return {
      transaction_id: transactionId(transfer),
      token_info: { symbol: 'USDT', address: toTronAddress(contracts.get(asset)!), decimals: 6 },
      block_timestamp,
      from: toTronAddress(from),
      to: toTronAddress(to),
      type: 'Transfer',
      value: amount.toString(),
    }
  }
  if (kind !== 'internal') return { ...transactionOf(view, transfer), block_timestamp }
  const tx_id = transactionId(transfer)
  return { internal_tx_id: `${tx_id}0`, tx_id, to_address: hex41(to), block_timestamp }
}
