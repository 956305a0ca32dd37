import { ask, type Node } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import { type Header, headerAt } from './rpc-calls.ts'

/** The blocks of some heights. Throws Reorganised for one that the node does not have. */
export async function readHeaders(node: Node, heights: number[]): Promise<Map<number, Header>> {
  const wanted = [...new Set(heights)]
  const headers = await ask(node, wanted.map(headerAt))
  return new Map(
    wanted.map((height, index) => {
      const header = headers[index]
      if (header?.height !== height) throw new Reorganised()
      return [height, header]
    }),
  )
}

/** The block of a height that was read, which must be the one that was told of. Throws Reorganised. */
export function sameBlock(blocks: Map<number, Header>, height: number, hash: string): Header {
  const block = blocks.get(height)!
  if (block.hash !== hash) throw new Reorganised()
  return block
}
