import type { CoinName } from '../../src/networks/bitcoin/coins.ts'
import {
  asListed,
  hashAt,
  listedAt,
  outputsWithScript,
  reportedTip,
  sumAt,
  timeOfBlock,
  type View,
  viewsOf,
} from './bitcoin-view.ts'
import { type Chain, serialOf, type Transfer, transactionId } from './chain.ts'
import type { Front } from './endpoint.ts'

const PAGE = 25
const NOT_FOUND = { status: 404, text: 'Block not found' }

const ok = (text: string) => ({ status: 200, text })

/** An Esplora server, with the requests that Florin sends. */
export function esploraFront(chain: Chain, coin: CoinName): Front {
  const viewOf = viewsOf(chain, coin)
  return {
    beginsScan: ({ path }) => path === '/blocks/tip/height',
    answer({ path }, lie) {
      const view = viewOf(lie)
      const [, kind = '', key = '', list, , last] = path.split('/')
      if (path === '/blocks/tip/height') return ok(`${reportedTip(view)}`)
      if (kind === 'block-height') {
        const hash = hashAt(view, Number(key))
        return hash === null ? NOT_FOUND : ok(hash)
      }
      if (kind === 'block') return ok(JSON.stringify({ id: key, timestamp: timeOfBlock(view, key) }))
      if (kind === 'address' && list === undefined) return ok(sumsOf(view, key))
      if (kind === 'address') return ok(transactionsOf(view, key, last ?? null))
      return NOT_FOUND
    },
  }
}

/** The unconfirmed transactions and the newest page, or the page after a transaction. */
function transactionsOf(view: View, address: string, last: string | null): string {
  const { waiting, confirmed } = listedAt(view, address)
  const after = last === null ? null : serialOf(last)
  const start = after === null ? 0 : confirmed.findIndex(({ serial }) => serial === after) + 1
  const page = [...(last === null ? waiting : []), ...confirmed.slice(start, start + PAGE)]
  return `[${asListed(
    view,
    page.map(one => printTransfer(view, one)),
  ).join()}]`
}

const sumsOf = (view: View, address: string): string =>
  JSON.stringify({ chain_stats: { funded_txo_sum: Number(sumAt(view, address)) } })

function printTransfer(view: View, transfer: Transfer): string {
  const { chain, head } = view
  const { height, spends } = transfer
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
    vin: [{ is_coinbase: false, ...(spends && { txid: spends, vout: 0 }) }],
    vout: outputsWithScript(transfer, view).map(({ amount, hex }) => ({
      scriptpubkey: hex,
      value: Number(amount),
    })),
  })
}
