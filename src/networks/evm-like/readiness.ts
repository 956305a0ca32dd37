import type { Asset } from '../../domain/asset.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { codeOf, decimalsOf } from './rpc-calls.ts'

/**
 * Returns the fault of a token's row in the table of assets; null if the row has no fault. `contract` is the
 * asset's contract in the node's own form, and `where` names the chain for people. Throws NetworkError.
 */
export async function tokenProblem(
  node: Node,
  asset: Asset,
  contract: string,
  where: string,
): Promise<string | null> {
  const [code, decimals] = await ask(node, [codeOf(contract), decimalsOf(contract)])
  const remedy = `Correct the row ${asset.id} in the file of FLORIN_ASSETS_FILE.`
  if (code === '0x') return `There is no contract at ${asset.contract} on ${where}. ${remedy}`
  if (decimals === BigInt(asset.decimals)) return null
  const found = decimals === null ? 'does not report its decimals' : `has ${decimals} decimals`
  return `The contract ${asset.contract} on ${where} ${found}; the table says ${asset.decimals}. ${remedy}`
}
