import { asserted } from '../../domain/errors.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { Reorganised } from '../rpc/reorg.ts'
import type { ChainConfig } from './chain-config.ts'
import { type Header, headerAt } from './rpc-calls.ts'
import { type LastSeen, requireCurrent, type Tip, tipQueries } from './tip.ts'

/**
 * Reads the tip, and the blocks that cursors build on; undefined for a block that the node does not have.
 * Throws NetworkError if the node is behind or has stopped following its chain.
 */
export async function readTip(
  node: Node,
  config: ChainConfig,
  cursors: LastSeen[],
  heights: number[],
): Promise<{ tip: Tip; blocks: Map<number, Header | undefined> }> {
  const unique = [...new Set(heights)]
  const [head, finalized, ...headers] = await ask<[Header, Header | null, ...(Header | null)[]]>(node, [
    ...tipQueries,
    ...unique.map(headerAt),
  ])
  const tip = { head, finalized }
  requireCurrent(config, tip, cursors)
  return { tip, blocks: new Map(unique.map((height, index) => [height, headers[index] ?? undefined])) }
}

/** Reads the blocks at some heights. Throws Reorganised for a block that the node does not have. */
export async function readHeaders(node: Node, heights: number[]): Promise<Map<number, Header>> {
  const unique = [...new Set(heights)]
  const headers = await ask(node, unique.map(headerAt))
  return new Map(
    unique.map((height, index) => {
      const header = headers[index]
      if (header?.height !== height) throw new Reorganised()
      return [height, header]
    }),
  )
}

/** Returns the block at a height. Throws Reorganised if it is not the block that was reported before. */
export function requireSameBlock(blocks: Map<number, Header>, height: number, hash: string): Header {
  const block = asserted(blocks.get(height), 'each height was read')
  if (block.hash !== hash) throw new Reorganised()
  return block
}
