import type { CoinName } from '../../src/networks/bitcoin/coins.ts'
import {
  asListed,
  hashAt,
  listedAt,
  outputsWithScript,
  reportedTip,
  sumAt,
  type View,
  viewsOf,
} from './bitcoin-view.ts'
import { type Chain, type Transfer, transactionId } from './chain.ts'
import type { Front } from './endpoint.ts'

const NOT_FOUND = { status: 400, text: '{"error":"Block not found"}' }
const STATUS = '/api/v2'

const NAMES: Partial<Record<CoinName, string>> = { btc: 'Bitcoin', ltc: 'Litecoin' }

const ok = (body: object) => ({ status: 200, text: JSON.stringify(body) })

/** A Blockbook server, with the requests that Florin sends. */
export function blockbookFront(chain: Chain, coin: CoinName): Front {
  const viewOf = viewsOf(chain, coin)
  return {
    beginsScan: ({ path }) => path === STATUS,
    answer({ path }, lie) {
      const view = viewOf(lie)
      const { pathname, searchParams } = new URL(path, 'https://blockbook.example')
      if (pathname === STATUS) return ok(statusOf(view))
      const [, kind = '', key = ''] = /^[/]api[/]v2[/]([a-z-]+)[/](.+)$/.exec(pathname) ?? []
      if (kind === 'block-index') {
        const blockHash = hashAt(view, Number(key))
        return blockHash === null ? NOT_FOUND : ok({ blockHash })
      }
      return kind === 'address' ? ok(addressOf(view, key, searchParams)) : NOT_FOUND
    },
  }
}

function statusOf(view: View): object {
  const bestHeight = reportedTip(view)
  const lastBlockTime = new Date(view.chain.timeOf(view.head)).toISOString()
  return {
    blockbook: { coin: NAMES[view.coin], bestHeight, inSync: true, lastBlockTime },
    backend: { chain: 'main', blocks: bestHeight },
  }
}

function addressOf(view: View, address: string, query: URLSearchParams): object {
  const totalReceived = `${sumAt(view, address)}`
  if (query.get('details') === 'basic') return { address, totalReceived }
  const from = Number(query.get('from') ?? 0)
  const size = Number(query.get('pageSize') ?? 1000)
  const { waiting, confirmed } = listedAt(view, address)
  const wanted = confirmed.filter(({ height }) => height >= from)
  const pages = Math.max(1, Math.ceil(wanted.length / size))
  // A request for a page after the last one returns the last one.
  const page = Math.min(pages, Number(query.get('page') ?? 1))
  const listed = [...(page === 1 ? waiting : []), ...wanted.slice((page - 1) * size, page * size)]
  return {
    address,
    totalReceived,
    page,
    // Blockbook reports no number of pages if it filters by height.
    totalPages: from > 0 && wanted.length >= size ? -1 : pages,
    ...(listed.length > 0 && {
      transactions: asListed(
        view,
        listed.map(one => transactionOf(view, one)),
      ),
    }),
  }
}

function transactionOf(view: View, transfer: Transfer): object {
  const { chain, head } = view
  const { to, height, spends } = transfer
  const block =
    height > head
      ? { blockHeight: -1, blockTime: 0 }
      : {
          blockHeight: height,
          blockHash: chain.hashOf(height),
          blockTime: Math.floor(chain.timeOf(height) / 1000),
        }
  const vout = outputsWithScript(transfer, view).map(({ n, amount, hex }) => ({
    ...{ n, value: `${amount}`, hex, addresses: [to] },
  }))
  return {
    txid: transactionId(transfer),
    vin: [{ n: 0, ...(spends && { txid: spends, vout: 0 }) }],
    vout,
    ...block,
  }
}
