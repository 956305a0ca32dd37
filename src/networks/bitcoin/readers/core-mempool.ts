import { readArray } from '../../rpc/json.ts'
import type { JsonRpc } from '../../rpc/json-rpc.ts'
import { readHash } from '../responses.ts'
import { askOne, call, type Output, readOutputs } from './core-rpc.ts'

/** More are read by the next looks, those that a watch knows already before all others. */
const READ_IN_A_LOOK_MAX = 5000

/** Digits of a script that lie within its hash, whatever kind it is. */
const mark = (script: string): number => Number.parseInt(script.slice(-16, -4), 16)

/**
 * The unconfirmed transactions of one node. Of each that was read, only marks of its outputs are kept, so
 * that a mempool of hundreds of thousands fits into memory.
 */
export class CoreMempool {
  readonly #rpc: JsonRpc
  readonly #marks = new Map<string, readonly number[]>()

  constructor(rpc: JsonRpc) {
    this.#rpc = rpc
  }

  /** The outputs that pay one of these scripts. Throws NetworkFault. */
  async read(scripts: ReadonlySet<string>, known: readonly string[]): Promise<Output[]> {
    const listed = readArray(await askOne(this.#rpc, call('getrawmempool')), 'the mempool').map(readHash)
    const present = new Set(listed)
    for (const id of this.#marks.keys()) if (!present.has(id)) this.#marks.delete(id)
    const unread = [...known.filter(id => present.has(id)), ...listed].filter(id => !this.#marks.has(id))
    const isPaying = (output: Output): boolean => scripts.has(output.script)
    const wanted = new Set([...scripts].map(mark))
    const marked = [...this.#marks].flatMap(([id, own]) => (own.some(one => wanted.has(one)) ? [id] : []))
    const found: Output[] = []
    for (const outputs of await this.#ask([...new Set(unread)].slice(0, READ_IN_A_LOOK_MAX))) {
      if (outputs.id !== null)
        this.#marks.set(outputs.id, [...new Set(outputs.all.map(one => mark(one.script)))])
      found.push(...outputs.all.filter(isPaying))
    }
    for (const { all } of await this.#ask(marked)) found.push(...all.filter(isPaying))
    return found
  }

  /** What left the mempool meanwhile is passed over. */
  async #ask(ids: string[]): Promise<{ id: string; all: Output[] }[]> {
    const replies = await this.#rpc.ask(ids.map(id => call('getrawtransaction', id, 1)))
    return ids.flatMap((id, index) => {
      const reply = replies[index]
      return reply && 'result' in reply ? [{ id, all: readOutputs(reply.result) }] : []
    })
  }
}
