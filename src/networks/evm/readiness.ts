import type { Asset } from '../../domain/asset.ts'
import { codeOf, decimalsOf } from '../evm-like/rpc-calls.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { DEPLOYER, DEPLOYER_CODE } from './forwarder/forwarder.ts'

/** Why no address can be given out on a chain; null where it can. Throws NetworkFault. */
export async function deployerFault(node: Node, chainId: number): Promise<string | null> {
  const [code] = await ask(node, [codeOf(DEPLOYER)])
  if (code === DEPLOYER_CODE) return null
  return (
    `The deployment proxy ${DEPLOYER} is not on chain ${chainId}, so that money at a new address could not ` +
    'be reached. Deploy it there (Arachnid/deterministic-deployment-proxy), or name no endpoint of the chain.'
  )
}

/** Why a token's row of the table cannot be right; null where it is. Throws NetworkFault. */
export async function tokenFault(node: Node, asset: Asset): Promise<string | null> {
  const { id, chainId, contract, decimals } = asset
  if (contract === null) return null
  const [code, told] = await ask(node, [codeOf(contract), decimalsOf(contract)])
  const row = `Correct the row ${id} in the file of FLORIN_ASSETS_FILE.`
  if (code === '0x') return `There is no contract at ${contract} on chain ${chainId}. ${row}`
  if (told === BigInt(decimals)) return null
  const words = told === null ? 'does not tell its decimals' : `has ${told} decimals`
  return `The contract ${contract} on chain ${chainId} ${words}; the table says ${decimals}. ${row}`
}
