import { hexToBytes } from '@noble/hashes/utils.js'
import { encodeKeyHash, encodeScriptHash, encodeWitness } from '../../src/networks/addresses/bitcoin.ts'
import { coins } from '../../src/networks/bitcoin/coins.ts'
import type { Litecoind, NodeBlock, NodeTransaction } from './litecoind.ts'

export type FrontCoin = 'btc' | 'ltc' | 'doge' | 'bitcoincash' | 'zec'

/** Options in which such servers differ. */
interface FrontOptions {
  coin?: FrontCoin
  /**
   * true for a server that serves all that such servers can. Esplora: blocks by hash, and older transactions.
   * Blockbook: hashes by height, and pages.
   */
  isWhole?: boolean
  pageSize?: number
}

interface LocatedTransaction {
  transaction: NodeTransaction
  block: NodeBlock | null
}

const PAGE_SIZE = 25

const payToKeyHash = /^76a914([0-9a-f]{40})88ac$/
const payToScriptHash = /^a914([0-9a-f]{40})87$/
const payToWitness = /^00(?:14|20)([0-9a-f]{40}|[0-9a-f]{64})$/

/** An address in the encoding of the coin's main chain; null for a script without an address. */
export function addressOfScript(coin: FrontCoin, script: string): string | null {
  const hash = (pattern: RegExp) => pattern.exec(script)?.[1]
  const [key, long, witness] = [hash(payToKeyHash), hash(payToScriptHash), hash(payToWitness)]
  const { addressFormat } = coins[coin]
  if (witness && addressFormat.segwit !== null) return encodeWitness(addressFormat, hexToBytes(witness))
  if (key) return encodeKeyHash(addressFormat, hexToBytes(key))
  return long ? encodeScriptHash(addressFormat, hexToBytes(long)) : null
}

const atomic = (coins: number): number => Math.round(coins * 1e8)

const json = (body: unknown, status = 200): Response => Response.json(body, { status })
const text = (body: string, status = 200): Response => new Response(body, { status })

/** Serves the blocks of a real node as Esplora and Blockbook do, with the addresses of any coin. */
export function startFront(node: Litecoind, options: FrontOptions = {}) {
  const { coin = 'ltc', isWhole = true, pageSize = PAGE_SIZE } = options
  const blocks: NodeBlock[] = []
  const unconfirmed = new Map<string, LocatedTransaction>()
  const addressesOf = new Map<string, (string | null)[]>()

  /** Starts again if the node advanced meanwhile. A real server, which follows its node, need not do so. */
  async function sync(tries = 3): Promise<{ tip: number; mempool: LocatedTransaction[] }> {
    try {
      return await syncOnce()
    } catch (error) {
      if (tries === 1) throw error
      return sync(tries - 1)
    }
  }

  async function syncOnce(): Promise<{ tip: number; mempool: LocatedTransaction[] }> {
    const { blocks: tip, bestblockhash } = await node.rpc<{ blocks: number; bestblockhash: string }>(
      'getblockchaininfo',
    )
    const found: NodeBlock[] = []
    let hash: string | undefined = bestblockhash
    // Goes back to the newest known block. After a reorganisation, that is an older one.
    while (hash && blocks[tip - found.length]?.hash !== hash) {
      const block = await node.blockOf(hash)
      found.unshift(block)
      hash = block.previousblockhash
    }
    blocks.splice(tip + 1 - found.length, blocks.length, ...found)
    for (const { tx } of found) for (const transaction of tx) remember(transaction)
    await syncMempool()
    return { tip, mempool: [...unconfirmed.values()] }
  }

  async function syncMempool(): Promise<void> {
    const ids = await node.rpc<string[]>('getrawmempool')
    for (const id of unconfirmed.keys()) if (!ids.includes(id)) unconfirmed.delete(id)
    for (const id of ids.filter(one => !unconfirmed.has(one))) {
      const transaction = await node.rpc<NodeTransaction>('getrawtransaction', id, true)
      unconfirmed.set(id, { transaction, block: null })
      remember(transaction)
    }
  }

  let syncing: ReturnType<typeof sync> = Promise.resolve({ tip: 0, mempool: [] })
  /** Syncs run one after the other, because each continues from the state of the previous one. */
  const synced = (): ReturnType<typeof sync> => {
    syncing = syncing.then(
      () => sync(),
      () => sync(),
    )
    return syncing
  }

  function remember({ txid, vout }: NodeTransaction): void {
    if (addressesOf.has(txid)) return
    addressesOf.set(
      txid,
      vout.map(({ scriptPubKey }) => addressOfScript(coin, scriptPubKey.hex)),
    )
  }

  /** Transactions of an address, newest first. */
  function historyOf(address: string, mempool: LocatedTransaction[]) {
    const concerns = ({ transaction: { txid, vin } }: LocatedTransaction): boolean =>
      addressesOf.get(txid)!.includes(address) ||
      vin.some(input => addressesOf.get(input.txid ?? '')?.[input.vout ?? 0] === address)
    const settled = blocks
      .toReversed()
      .flatMap(block => block.tx.map(transaction => ({ transaction, block })))
    return { waiting: mempool.filter(concerns), settled: settled.filter(concerns) }
  }

  function esplora(path: string, tip: number, mempool: LocatedTransaction[]): Response | null {
    if (path === '/blocks/tip/height') return text(`${tip}`)
    const [, height] = /^[/]block-height[/]([0-9]+)$/.exec(path) ?? []
    if (height) return esploraHash(blocks[Number(height)])
    const [, hash] = /^[/]block[/]([0-9a-f]+)$/.exec(path) ?? []
    if (hash) return esploraBlock(hash)
    const [, address, list, rest = ''] = /^[/]address[/]([^/]+)([/]txs(.*))?$/.exec(path) ?? []
    if (address === undefined) return null
    return list ? esploraPage(historyOf(address, mempool), rest) : esploraSums(address)
  }

  const esploraSums = (address: string): Response | null =>
    isWhole ? json({ address, chain_stats: { funded_txo_sum: receivedBy(address) } }) : null

  const esploraHash = (block: NodeBlock | undefined): Response | null => (block ? text(block.hash) : null)

  /** The sum that an address received in blocks, atomic. */
  const receivedBy = (address: string): number =>
    blocks
      .flatMap(({ tx }) => tx)
      .flatMap(({ txid, vout }) => vout.filter((_, at) => addressesOf.get(txid)?.[at] === address))
      .reduce((sum, { value }) => sum + atomic(value), 0)

  function esploraBlock(hash: string): Response | null {
    const block = isWhole ? blocks.find(one => one.hash === hash) : undefined
    return block ? json({ id: block.hash, height: block.height, timestamp: block.time }) : null
  }

  function esploraPage({ waiting, settled }: ReturnType<typeof historyOf>, rest: string): Response | null {
    if (rest === '') return json([...waiting, ...settled.slice(0, pageSize)].map(inEsplora))
    const after = settled.findIndex(({ transaction: { txid } }) => rest === `/chain/${txid}`)
    if (after < 0 || !isWhole) return null
    return json(settled.slice(after + 1, after + 1 + pageSize).map(inEsplora))
  }

  const inEsplora = ({ transaction: { txid, vin, vout }, block }: LocatedTransaction) => ({
    txid,
    vin: vin.map(input => ({
      txid: input.txid,
      vout: input.vout,
      is_coinbase: input.coinbase !== undefined,
    })),
    vout: vout.map(({ value, scriptPubKey: { hex } }) => ({
      scriptpubkey: hex,
      scriptpubkey_address: addressOfScript(coin, hex) ?? undefined,
      value: atomic(value),
    })),
    status: block
      ? { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time }
      : { confirmed: false },
  })

  function blockbook(url: URL, tip: number, mempool: LocatedTransaction[]): Response | null {
    const [place, value = ''] = url.pathname.replace(/^[/]api[/]v2[/]?/, '').split('/')
    if (place === '') {
      return json({ blockbook: { coin, bestHeight: tip, inSync: true }, backend: { blocks: tip } })
    }
    if (place === 'block-index' && isWhole) {
      const block = blocks[Number(value)]
      return block ? json({ blockHash: block.hash }) : json({ error: 'Block not found' }, 400)
    }
    return place === 'address' ? pageInBlockbook(url, value, tip, mempool) : null
  }

  function pageInBlockbook(url: URL, value: string, tip: number, mempool: LocatedTransaction[]): Response {
    const { waiting, settled } = historyOf(value, mempool)
    if (!isWhole) {
      const transactions = [...waiting, ...settled].map(placed => inBlockbook(placed, tip))
      return json({ address: value, page: 1, totalPages: 1, transactions })
    }
    const from = Number(url.searchParams.get('from'))
    const wanted = settled.filter(({ block }) => block.height >= from)
    const size = Number(url.searchParams.get('pageSize'))
    const pages = Math.max(1, Math.ceil(wanted.length / size))
    // Blockbook gives no count when it filters by height.
    const totalPages = from > 0 && wanted.length >= size ? -1 : pages
    const page = Math.min(pages, Number(url.searchParams.get('page')))
    const shown = [...(page === 1 ? waiting : []), ...wanted.slice((page - 1) * size, page * size)]
    const transactions = shown.map(placed => inBlockbook(placed, tip))
    const totalReceived = `${receivedBy(value)}`
    return json({
      address: value,
      page,
      totalPages,
      totalReceived,
      ...(shown.length > 0 && { transactions }),
    })
  }

  const inBlockbook = ({ transaction: { txid, vin, vout }, block }: LocatedTransaction, tip: number) => ({
    txid,
    vin: vin.map(({ txid: spent, vout: n, coinbase }) => ({ txid: spent, vout: n, coinbase })),
    vout: vout.map(({ value, n, scriptPubKey: { hex } }) => ({
      value: `${atomic(value)}`,
      n,
      hex,
      addresses: addressOfScript(coin, hex) ? [addressOfScript(coin, hex)] : null,
    })),
    blockHash: block?.hash,
    blockHeight: block?.height ?? -1,
    confirmations: block ? tip - block.height + 1 : 0,
    blockTime: block?.time ?? 0,
  })

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const url = new URL(request.url)
      const { tip, mempool } = await synced()
      const isBlockbook = url.pathname.startsWith('/api/v2')
      const answer = isBlockbook ? blockbook(url, tip, mempool) : esplora(url.pathname, tip, mempool)
      return answer ?? text('Not found', 404)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}
