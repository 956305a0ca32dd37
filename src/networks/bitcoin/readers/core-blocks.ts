import type { Json } from '../../../domain/metadata.ts'
import { NetworkError } from '../../port.ts'
import { malformedResponse, readArray, readObject } from '../../rpc/json.ts'
import type { JsonRpc } from '../../rpc/json-rpc.ts'
import type { Reply } from '../../rpc/json-rpc-codec.ts'
import { readHash, readHeight, readTime } from '../responses.ts'
import { answerOf, askOne, call, type Output, readOutputs } from './core-rpc.ts'

interface CoreBlock {
  hash: string
  height: number
  /** milliseconds since 1970 UTC */
  at: number
  byScript: Map<string, Output[]>
  outputs: number
}

/** The verbosities of `getblock`: old nodes know only a truth value, which answers ids. */
const WITH_TRANSACTIONS = 2
const WITH_IDS = true

/** About twenty full blocks of Bitcoin, tens of megabytes. */
const KEPT_OUTPUTS_MAX = 200_000

/** Reads whole blocks, and keeps the last ones: every look reads those again that are not final. */
export class CoreBlocks {
  readonly #rpc: JsonRpc
  readonly #kept = new Map<string, CoreBlock>()
  #keptOutputs = 0
  #tellsTransactions = true

  constructor(rpc: JsonRpc) {
    this.#rpc = rpc
  }

  /** The block of this hash; kept for later where it is wanted again. Throws NetworkFault. */
  async read(hash: string, height: number, isKept: boolean): Promise<CoreBlock> {
    const known = this.#kept.get(hash)
    if (known) return known
    const block = await this.#ask(hash)
    if (block.hash !== hash || block.height !== height) throw malformedResponse(`block ${height}`)
    if (isKept) this.#keep(block)
    return block
  }

  #keep(block: CoreBlock): void {
    this.#kept.set(block.hash, block)
    this.#keptOutputs += block.outputs
    for (const [hash, { outputs }] of this.#kept) {
      if (this.#keptOutputs <= KEPT_OUTPUTS_MAX) break
      this.#kept.delete(hash)
      this.#keptOutputs -= outputs
    }
  }

  async #ask(hash: string): Promise<CoreBlock> {
    if (!this.#tellsTransactions) return this.#askInParts(hash)
    const [reply] = await this.#rpc.ask([call('getblock', hash, WITH_TRANSACTIONS)])
    if (reply && 'result' in reply) return blockOf(reply.result, outputsOf(reply.result))
    const block = await this.#askInParts(hash)
    // A block that is too large says nothing of the node; a refusal of the verbosity does.
    if (reply && /boolean|verbos|type/i.test(reply.error.message)) this.#tellsTransactions = false
    return block
  }

  /** Old nodes tell transactions of blocks only where they keep an index of all, or are told the block. */
  async #askInParts(hash: string): Promise<CoreBlock> {
    const json = await askOne(this.#rpc, call('getblock', hash, WITH_IDS))
    const ids = readArray(readObject(json, 'a block').tx, 'the transactions of a block').map(readHash)
    const replies = await this.#rpc.ask(ids.map(id => call('getrawtransaction', id, 1)))
    const missed = ids.filter((_, index) => isRefused(replies[index]))
    const again = await this.#rpc.ask(missed.map(id => call('getrawtransaction', id, 1, hash)))
    const found = [...replies.filter(reply => !isRefused(reply)), ...again]
    return blockOf(
      json,
      found.flatMap(reply => readOutputs(transactionOf(reply))),
    )
  }
}

const isRefused = (reply: Reply | undefined): boolean => !reply || 'error' in reply

function transactionOf(reply: Reply | undefined): Json {
  if (reply && 'error' in reply) {
    throw new NetworkError(
      `does not tell the transactions of a block ("${reply.error.message}"): it has to be newer, ` +
        'or to run with txindex=1',
    )
  }
  return answerOf(reply, 'getrawtransaction')
}

const outputsOf = (json: Json): Output[] =>
  readArray(readObject(json, 'a block').tx, 'the transactions of a block').flatMap(readOutputs)

function blockOf(json: Json, outputs: Output[]): CoreBlock {
  const { hash, height, time } = readObject(json, 'a block')
  return {
    hash: readHash(hash),
    height: readHeight(height),
    at: readTime(time),
    byScript: Map.groupBy(outputs, ({ script }) => script),
    outputs: outputs.length,
  }
}
