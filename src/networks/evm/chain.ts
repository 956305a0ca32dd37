import type { Asset } from '../../domain/asset.ts'
import type { Json } from '../../domain/metadata.ts'
import {
  NetworkError,
  type OwnAddress,
  type SweepRequest,
  type Swept,
  type Watch,
  type WatchResult,
} from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import { HealthCache } from '../rpc/cache.ts'
import type { Endpoints } from '../rpc/failover.ts'
import { scanWithQuorum } from '../rpc/quorum.ts'
import { retryReorganised } from '../rpc/reorg.ts'
import { BalanceReader } from './balances.ts'
import type { ChainConfig } from './chain-config.ts'
import { claimOf } from './cursor.ts'
import { isForwarder } from './forwarder/recovery.ts'
import { LogReader } from './logs.ts'
import { deployerFault, tokenFault } from './readiness.ts'
import { type RpcOptions, rpcOf } from './rpc.ts'
import { look, type Readers } from './scan.ts'
import { contradicts, opening } from './start-watch.ts'
import { sweep } from './sweep/sweep.ts'

/** The assets of one chain id, with the endpoints that serve it. */
export class EvmChain {
  readonly #config: ChainConfig
  readonly #rpc: Endpoints<Node>
  readonly #readers: Readers
  readonly #remembered: HealthCache

  constructor(config: ChainConfig, options: RpcOptions, blocksAtOnce: number) {
    this.#config = config
    this.#rpc = rpcOf(options)
    this.#readers = { logs: new LogReader(blocksAtOnce), balances: new BalanceReader() }
    this.#remembered = new HealthCache(options.clock)
  }

  /** Why an asset cannot be offered; null when it can. Throws NetworkFault. */
  async fault(asset: Asset): Promise<string | null> {
    await this.#rpc.ensureReachable()
    const { chainId } = this.#config
    const onChain = await this.#remembered.problem('deployer', () =>
      this.#rpc.withFailover(node => deployerFault(node, chainId)),
    )
    const key = `${asset.contract} ${asset.decimals}`
    return (
      onChain ?? this.#remembered.problem(key, () => this.#rpc.withFailover(node => tokenFault(node, asset)))
    )
  }

  /** From where the watch of an address begins that is given out now. Throws NetworkFault. */
  async begin(own: OwnAddress): Promise<Json> {
    const first = await this.#rpc.withFailover(async node => ({
      node,
      cursor: await retryReorganised(() => opening(node, this.#config, own)),
    }))
    if (isForwarder(own.source)) return first.cursor
    if (!(await this.#isContradicted(own.address, first.cursor, first.node))) return first.cursor
    throw new NetworkError('has two endpoints that tell different balances of one address')
  }

  /** By another endpoint that can be heard: what an account holds now must not be a payment later. */
  async #isContradicted(address: string, cursor: Json, but: Node): Promise<boolean> {
    try {
      return await this.#rpc.withFailover(node => contradicts(node, this.#config, address, cursor), but)
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      return false
    }
  }

  /** Looks at many addresses at once; again, when its chain was reorganised then. Throws NetworkFault. */
  check(watches: Watch[]): Promise<WatchResult[]> {
    return scanWithQuorum(this.#rpc, (node, own) => this.#look(node, own), watches, claimOf)
  }

  #look(node: Node, watches: Watch[]): Promise<WatchResult[]> {
    return retryReorganised(() => look(node, this.#config, this.#readers, watches))
  }

  /** What lies on forwarders now, and the calls that move it. Throws NetworkFault. */
  sweep(request: SweepRequest): Promise<Swept> {
    return this.#rpc.withFailover(node => sweep(node, this.#config, request))
  }
}
