import { coins } from '../../src/networks/bitcoin/coins.ts'
import { scriptOf } from '../../src/networks/bitcoin/script.ts'
import {
  blockHash,
  type Chain,
  heightOfHash,
  INVENTED_BRANCH,
  serialOf,
  type Transfer,
  transactionId,
} from './chain.ts'
import type { ActiveLie, Front } from './endpoint.ts'

const PAGE = 25
const INVENTED_SERIAL = 0xf0f0f0
const NOT_FOUND = { status: 404, text: 'Block not found' }

const { genesis, checkpoint } = coins.btc
const fixed = new Map([
  [0, genesis],
  [checkpoint!.height, checkpoint!.hash],
])

interface View {
  chain: Chain
  /** the newest block that the endpoint knows */
  head: number
  /** the newest block that it claims to know */
  top: number
  lie: ActiveLie | null
}

const ok = (text: string) => ({ status: 200, text })

/** An Esplora server, as far as Florin asks it anything. */
export function esploraFront(chain: Chain): Front {
  return {
    beginsScan: ({ path }) => path === '/blocks/tip/height',
    answer({ path }, lie) {
      const view = viewOf(chain, lie)
      const [, kind = '', key = '', list, , last] = path.split('/')
      if (path === '/blocks/tip/height') {
        return ok(`${lie?.name === 'lostTip' ? view.top + lie.amount : view.top}`)
      }
      if (kind === 'block-height') return hashAt(view, Number(key))
      if (kind === 'block') return blockOf(view, key)
      if (kind === 'address' && list === undefined) return ok(sumsOf(view, key))
      if (kind === 'address') return ok(transactionsOf(view, key, last ?? null))
      return NOT_FOUND
    },
  }
}

function viewOf(chain: Chain, lie: ActiveLie | null): View {
  const { head: newest } = chain
  const head = lie?.name === 'lag' ? newest - Math.ceil(lie.amount / 10) : newest
  return { chain, lie, head, top: lie?.name === 'farTip' ? head + lie.amount : head }
}

function hashAt({ chain, head, top }: View, height: number) {
  if (height > top) return NOT_FOUND
  if (height > head) return ok(blockHash(INVENTED_BRANCH, height))
  return ok(fixed.get(height) ?? chain.hashOf(height))
}

function blockOf({ chain, head }: View, hash: string) {
  const at = chain.timeOf(Math.min(head, heightOfHash(hash)))
  return ok(JSON.stringify({ id: hash, timestamp: Math.floor(at / 1000) }))
}

/** The unconfirmed ones and the newest page; or the page that follows a transaction. */
function transactionsOf(view: View, address: string, last: string | null): string {
  const { chain, head, lie } = view
  if (lie?.name === 'omit') return '[]'
  const all = chain.transfers.filter(({ to }) => to === address).toReversed()
  const own = lie?.name === 'hide' ? withoutGreatest(all) : all
  // The newest blocks are known, but their payments are not listed yet.
  const listed = lie?.name === 'lateIndex' ? head - lie.amount : head
  const confirmed = own.filter(({ height }) => height <= listed).sort((a, b) => b.height - a.height)
  const after = last === null ? null : serialOf(last)
  const start = after === null ? 0 : confirmed.findIndex(({ serial }) => serial === after) + 1
  const invented = lie?.name === 'invent' ? [inventedPayment(address)] : []
  const waiting = last === null ? [...own.filter(({ height }) => height > head), ...invented] : []
  const list = [...waiting, ...confirmed.slice(start, start + PAGE)].map(one => printTransfer(view, one))
  if (lie?.name === 'reorder') list.reverse()
  return `[${(lie?.name === 'repeat' ? [...list, ...list] : list).join()}]`
}

function withoutGreatest(transfers: Transfer[]): Transfer[] {
  const [greatest] = transfers.toSorted((a, b) => Number(b.amount - a.amount))
  return transfers.filter(one => one !== greatest)
}

const sumsOf = ({ chain, head }: View, address: string): string => {
  const own = chain.transfers.filter(({ to, height }) => to === address && height <= head)
  const sum = own.reduce((sum, { amount }) => sum + amount, 0n)
  return JSON.stringify({ chain_stats: { funded_txo_sum: Number(sum) } })
}

const inventedPayment = (to: string): Transfer => ({
  serial: INVENTED_SERIAL,
  to,
  from: '',
  asset: 'btc',
  amount: 10n ** 9n,
  height: Number.POSITIVE_INFINITY,
  count: 1,
  kind: 'payment',
})

function printTransfer({ chain, head }: View, transfer: Transfer): string {
  const { to, amount, height } = transfer
  const status =
    height > head
      ? { confirmed: false }
      : {
          confirmed: true,
          block_height: height,
          block_hash: chain.hashOf(height),
          block_time: Math.floor(chain.timeOf(height) / 1000),
        }
  return JSON.stringify({
    txid: transactionId(transfer),
    status,
    vin: [{ is_coinbase: false }],
    vout: [{ scriptpubkey: scriptOf('btc', to), value: Number(amount) }],
  })
}
