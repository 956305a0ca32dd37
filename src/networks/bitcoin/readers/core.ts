import { asserted } from '../../../domain/errors.ts'
import type { HttpEndpoint } from '../../rpc/http.ts'
import { type JsonObject, readObject } from '../../rpc/json.ts'
import { JsonRpc } from '../../rpc/json-rpc.ts'
import { mapLimit } from '../../rpc/map-limit.ts'
import { Reorganised } from '../../rpc/reorg.ts'
import { parseAmounts } from '../amounts.ts'
import { readHash, readHeight, readTime } from '../responses.ts'
import { CoreBlocks } from './core-blocks.ts'
import { CoreMempool } from './core-mempool.ts'
import { coveredTo, NEAR_BLOCKS, planOf } from './core-plan.ts'
import { amountOf, askOne, call, type Output, resultOf } from './core-rpc.ts'
import type { Payment, Reader, Reading, Target, Tip } from './reader.ts'

/** The number of blocks that are read at once; low, since each block is some megabytes of JSON. */
const CONCURRENT_BLOCKS = 2
/** One scan spends at most this time on older blocks, which were missed while Florin was not running. */
const CATCH_UP_MS = 10_000

/** Reads the JSON-RPC of Bitcoin Core and its forks. */
export class CoreReader implements Reader {
  readonly protocol = 'core'
  readonly readsBlocks = true
  readonly #endpoint: HttpEndpoint
  readonly #rpc: JsonRpc
  readonly #blocks: CoreBlocks
  readonly #mempool: CoreMempool

  constructor(endpoint: HttpEndpoint) {
    this.#endpoint = endpoint
    this.#rpc = new JsonRpc(endpoint, '', parseAmounts)
    this.#blocks = new CoreBlocks(this.#rpc, () => endpoint.clock())
    this.#mempool = new CoreMempool(this.#rpc)
  }

  get host(): string {
    return this.#endpoint.host
  }

  get isLocal(): boolean {
    return this.#endpoint.isLocal
  }

  async identity(): Promise<{ name: null; isMain: null }> {
    return { name: null, isMain: null }
  }

  async tip(): Promise<Tip> {
    const chain = readObject(await askOne(this.#rpc, call('getblockchaininfo')), 'the state of its chain')
    const height = readHeight(chain.blocks)
    return {
      height,
      hash: readHash(chain.bestblockhash),
      at: chain.mediantime === undefined ? null : readTime(chain.mediantime),
      problem: isSyncing(chain) ? `is still syncing, at block ${height}` : null,
    }
  }

  async hashes(heights: readonly number[]): Promise<(string | null)[]> {
    const replies = await this.#rpc.ask(heights.map(height => call('getblockhash', height)))
    return replies.map(reply => {
      const isBeyond = 'error' in reply && reply.error.code === OUT_OF_RANGE
      return isBeyond ? null : readHash(resultOf(reply, 'getblockhash'))
    })
  }

  /** Reads each block once for all scripts. */
  async read(targets: Target[], tip: Tip): Promise<Map<string, Reading>> {
    const scripts = new Set(targets.map(({ script }) => script))
    const { found, heights } = await this.#readBlocks(targets, scripts, tip)
    const pending = targets.flatMap(target => target.pending)
    const unconfirmed = await this.#mempool.read(scripts, pending)
    // A transaction may have been mined since the mempool was listed.
    const mined = new Set(found.map(({ txId }) => txId))
    const payments = [
      ...found,
      ...unconfirmed.filter(({ txId }) => !mined.has(txId)).map(one => paymentOf(one, null)),
    ]
    // A node or proxy may list a transaction twice, so repeated payments are dropped.
    const byScript = Map.groupBy(withoutRepeats(payments), ({ script }) => script)
    return new Map(
      targets.map(({ script }) => [
        script,
        {
          payments: byScript.get(script) ?? [],
          coveredFrom: from => coveredTo(from, heights),
          received: null,
        },
      ]),
    )
  }

  async received(): Promise<null> {
    return null
  }

  forget(): void {}

  async #readBlocks(targets: Target[], scripts: ReadonlySet<string>, tip: Tip) {
    const { now, later } = planOf(
      targets.flatMap(({ starts }) => starts),
      tip.height,
    )
    const found: Payment[] = []
    const heights = new Set<number>()
    const until = this.#endpoint.clock() + CATCH_UP_MS
    const wanted = [...now, ...later]
    const hashes = await this.hashes(wanted)
    const read = async (index: number): Promise<void> => {
      const height = asserted(wanted[index], 'each index is of a wanted height')
      const hash = hashes[index] ?? null
      if (hash === null) throw new Reorganised()
      const block = await this.#blocks.read(hash, height, height > tip.height - NEAR_BLOCKS)
      heights.add(height)
      for (const script of scripts) {
        const outputs = block.byScript.get(script) ?? []
        found.push(...outputs.map(output => paymentOf(output, block)))
      }
    }
    const indices = [...wanted.keys()]
    await mapLimit(indices.slice(0, now.length), CONCURRENT_BLOCKS, read)
    await mapLimit(indices.slice(now.length), CONCURRENT_BLOCKS, async index => {
      if (this.#endpoint.clock() <= until) await read(index)
    })
    return { found, heights }
  }
}

const OUT_OF_RANGE = -8

/**
 * True while a node downloads the main chain. On a private chain the flags mean nothing: a node sets them
 * whenever the last block is old.
 */
const isSyncing = ({ chain, initialblockdownload, initial_block_download_complete }: JsonObject): boolean =>
  chain === 'main' && (initialblockdownload === true || initial_block_download_complete === false)

const withoutRepeats = (payments: Payment[]): Payment[] => [
  ...new Map(payments.map(one => [`${one.txId}:${one.index}`, one])).values(),
]

const paymentOf = (output: Output, block: Payment['block']): Payment => ({
  txId: output.txId,
  index: output.index,
  script: output.script,
  amount: amountOf(output),
  inputs: output.inputs,
  block: block && { height: block.height, hash: block.hash, at: block.at },
})
