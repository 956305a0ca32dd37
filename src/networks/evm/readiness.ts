import type { Asset } from '../../domain/asset.ts'
import { tokenProblem } from '../evm-like/readiness.ts'
import { codeOf } from '../evm-like/rpc-calls.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { DEPLOYER, DEPLOYER_CODE } from './forwarder/forwarder.ts'

/**
 * Returns the reason why no forwarder can be deployed on a chain; null if there is no such reason. Throws
 * NetworkError.
 */
export async function deployerProblem(node: Node, chainId: number): Promise<string | null> {
  const [code] = await ask(node, [codeOf(DEPLOYER)])
  if (code === DEPLOYER_CODE) return null
  return (
    `The deployment proxy ${DEPLOYER} is not on chain ${chainId}, so money at a new address could not be ` +
    'reached. Deploy it there (Arachnid/deterministic-deployment-proxy), or remove the endpoints of ' +
    'the chain.'
  )
}

/**
 * Returns the fault of an asset's row in the table of assets; null if the row has no fault. Throws
 * NetworkError.
 */
export async function assetProblem(node: Node, asset: Asset): Promise<string | null> {
  const { contract, chainId } = asset
  return contract === null ? null : tokenProblem(node, asset, contract, `chain ${chainId}`)
}
