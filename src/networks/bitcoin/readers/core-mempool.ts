import { readArray } from '../../rpc/json.ts'
import type { JsonRpc } from '../../rpc/json-rpc.ts'
import { readHash } from '../responses.ts'
import { askOne, call, type Output, readOutputs } from './core-rpc.ts'

/** One scan reads at most this many new transactions, starting with those that a watch knows. */
const READ_PER_SCAN_MAX = 5000

/** Shortens a script to a number, from digits that belong to the hash in every kind of script. */
const fingerprint = (script: string): number => Number.parseInt(script.slice(-16, -4), 16)

/**
 * The unconfirmed transactions of one node. For each, only the fingerprints of its output scripts are stored,
 * so that hundreds of thousands of transactions fit into memory.
 */
export class CoreMempool {
  readonly #rpc: JsonRpc
  readonly #fingerprints = new Map<string, readonly number[]>()

  constructor(rpc: JsonRpc) {
    this.#rpc = rpc
  }

  /**
   * Finds the outputs that pay one of these scripts. `known` are IDs that watches know. Throws NetworkError.
   */
  async read(scripts: ReadonlySet<string>, known: readonly string[]): Promise<Output[]> {
    const listed = readArray(await askOne(this.#rpc, call('getrawmempool')), 'the mempool').map(readHash)
    const present = new Set(listed)
    for (const id of this.#fingerprints.keys()) if (!present.has(id)) this.#fingerprints.delete(id)
    const unread = [...known.filter(id => present.has(id)), ...listed].filter(
      id => !this.#fingerprints.has(id),
    )
    const isPaying = (output: Output): boolean => scripts.has(output.script)
    const wanted = new Set([...scripts].map(fingerprint))
    const matching = [...this.#fingerprints].flatMap(([id, own]) =>
      own.some(one => wanted.has(one)) ? [id] : [],
    )
    const found: Output[] = []
    for (const outputs of await this.#ask([...new Set(unread)].slice(0, READ_PER_SCAN_MAX))) {
      if (outputs.id !== null)
        this.#fingerprints.set(outputs.id, [...new Set(outputs.all.map(one => fingerprint(one.script)))])
      found.push(...outputs.all.filter(isPaying))
    }
    for (const { all } of await this.#ask(matching)) found.push(...all.filter(isPaying))
    return found
  }

  /** Reads transactions, without those that have left the mempool meanwhile. */
  async #ask(ids: string[]): Promise<{ id: string; all: Output[] }[]> {
    const replies = await this.#rpc.ask(ids.map(id => call('getrawtransaction', id, 1)))
    return ids.flatMap((id, index) => {
      const reply = replies[index]
      return reply && 'result' in reply ? [{ id, all: readOutputs(reply.result) }] : []
    })
  }
}
