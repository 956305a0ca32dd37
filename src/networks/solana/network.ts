import { readOrigin } from '../address-origin.ts'
import { type AssetGroup, makeNetwork } from '../make-network.ts'
import type { Network, NetworkOptions } from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import { Doubts, withSecondLook } from '../rpc/doubts.ts'
import type { ChainConfig } from './chain-config.ts'
import { movingFees } from './fees.ts'
import { rpcOf } from './rpc.ts'
import { scan } from './scan.ts'
import { contradictsStart, startWatch } from './start-watch.ts'
import { sweep } from './sweep.ts'
import { mintProblem, payoutState, walletProblems } from './verify.ts'

/** The network of Solana, read by JSON-RPC. Payments are found by the balances that transactions change. */
export function solanaNetwork(options: NetworkOptions): Network {
  const { chain, assets, clock } = options
  const config: ChainConfig = { chain, assets, clock }
  const doubts = new Doubts()
  const group: AssetGroup<Node> = {
    endpoints: rpcOf(options),
    checkAsset: mintProblem,
    startWatch: (node, _asset, own) => startWatch(node, config, own),
    crossCheck: ({ source }, cursor) =>
      readOrigin(source).kind === 'seed' ? null : node => contradictsStart(node, config, cursor),
    scan: (node, watches) => scan(node, config, watches, doubts),
    payoutState: (node, _asset, address) => payoutState(node, address),
  }
  const lenientGroup: AssetGroup<Node> = {
    ...group,
    scan: (node, watches) => scan(node, config, watches, null),
  }
  const network = withSecondLook({
    strict: makeNetwork({
      chain,
      assets,
      clock,
      groupOf: () => group,
      inspectsPayouts: true,
      walletProblems: addresses => group.endpoints.withFailover(node => walletProblems(node, addresses)),
      sweep: request => group.endpoints.withFailover(node => sweep(node, config, request)),
    }),
    lenient: makeNetwork({ chain, assets, clock, groupOf: () => lenientGroup }),
    doubts,
  })
  return { ...network, movingFees: () => movingFees(group.endpoints, config) }
}
