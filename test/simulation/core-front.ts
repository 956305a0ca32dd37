import type { CoinName } from '../../src/networks/bitcoin/coins.ts'
import { merkleRoot } from '../../src/networks/bitcoin/readers/merkle-root.ts'
import {
  asListed,
  hashAt,
  inventedPayment,
  outputsWithScript,
  reportedTip,
  timeOfBlock,
  type View,
  viewsOf,
} from './bitcoin-view.ts'
import { type Chain, heightOfHash, serialOf, type Transfer, transactionId } from './chain.ts'
import type { Front } from './endpoint.ts'

interface Call {
  id: number
  method: string
  params: (string | number | boolean)[]
}

type Reply = { result: unknown } | { error: { code: number; message: string } }

const COIN = 100_000_000n
/** The input of the transaction that pays the miner of each block. */
const REWARD = { txid: 'c0'.repeat(32), vin: [{ coinbase: '00' }], vout: [] }
const refused = (code: number, message: string): Reply => ({ error: { code, message } })

/** A node of Bitcoin Core, with the requests that Florin sends. */
export function coreFront(chain: Chain, coin: CoinName, targets: () => string[]): Front {
  const viewOf = viewsOf(chain, coin)
  return {
    beginsScan: ({ body }) => body.includes('getblockchaininfo'),
    answer({ body }, lie) {
      const view = viewOf(lie)
      const asked = JSON.parse(body) as Call | Call[]
      const answered = [asked].flat().map(call => ({ id: call.id, ...answer(view, call, targets()) }))
      return { status: 200, text: printJson(Array.isArray(asked) ? answered : answered[0]) }
    },
  }
}

/** Prints amounts as decimals with all digits, as the node does. */
const printJson = (json: unknown): string => JSON.stringify(json).replace(/"coins:([0-9.]+)"/g, '$1')
const coinsOf = (amount: bigint): string => `coins:${amount / COIN}.${`${amount % COIN}`.padStart(8, '0')}`

function answer(view: View, { method, params }: Call, targets: string[]): Reply {
  const [first] = params
  switch (method) {
    case 'getblockchaininfo':
      return { result: chainInfo(view) }
    case 'getblockhash': {
      const hash = hashAt(view, Number(first))
      return hash === null ? refused(-8, 'Block height out of range') : { result: hash }
    }
    case 'getblock':
      return blockOf(view, `${first}`)
    case 'getrawmempool':
      return { result: asListed(view, mempool(view, targets).map(transactionId)) }
    case 'getrawtransaction': {
      // Without a transaction index, a node finds only transactions in its mempool.
      const found = mempool(view, targets).find(({ serial }) => serial === serialOf(`${first}`))
      return found ? { result: transactionOf(found, view) } : refused(-5, 'No such mempool transaction')
    }
    default:
      return refused(-32601, 'Method not found')
  }
}

function chainInfo(view: View): object {
  const blocks = reportedTip(view)
  const bestblockhash = hashAt(view, view.top)
  const mediantime = timeOfBlock(view, bestblockhash!)
  return { chain: 'main', blocks, bestblockhash, mediantime, initialblockdownload: false }
}

function blockOf(view: View, hash: string): Reply {
  const height = heightOfHash(hash)
  if (height > view.head || view.chain.hashOf(height) !== hash) return refused(-5, 'Block not found')
  const mined = view.chain.between(height, height)
  const merkleroot = merkleRoot([REWARD.txid, ...mined.map(transactionId)])
  const tx = [REWARD, ...(view.lie?.name === 'omit' ? [] : mined.map(one => transactionOf(one, view)))]
  return { result: { hash, height, time: timeOfBlock(view, hash), merkleroot, tx: asListed(view, tx) } }
}

function mempool({ chain, coin, head, lie }: View, targets: string[]): Transfer[] {
  // With the lie `omit`, the mempool is empty, as after a restart of a node.
  if (lie?.name === 'omit') return []
  const invented = lie?.name === 'invent' ? targets.slice(0, 1).map(to => inventedPayment(to, coin)) : []
  return [...chain.transfers.filter(({ height }) => height > head), ...invented]
}

const transactionOf = (transfer: Transfer, view: View): object => ({
  txid: transactionId(transfer),
  vin: [
    transfer.spends
      ? { txid: transfer.spends, vout: 0 }
      : { txid: '0'.repeat(63).concat('1'), vout: transfer.serial },
  ],
  vout: outputsWithScript(transfer, view).map(({ n, amount, hex }) => ({
    ...{ n, value: coinsOf(amount), scriptPubKey: { hex } },
  })),
})
