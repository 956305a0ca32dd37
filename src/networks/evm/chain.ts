import type { Asset } from '../../domain/asset.ts'
import type { Json } from '../../domain/metadata.ts'
import { blockTimeOf, isKnownChainId } from '../assets.ts'
import type { ChainConfig } from '../evm-like/chain-config.ts'
import { LogReader, lookSteadily } from '../evm-like/logs.ts'
import {
  NetworkError,
  type OwnAddress,
  type SweepRequest,
  type Swept,
  type Watch,
  type WatchResult,
} from '../port.ts'
import type { Node } from '../rpc/batch.ts'
import type { Endpoints } from '../rpc/failover.ts'
import { HealthCache } from '../rpc/health-cache.ts'
import { Upstream } from '../rpc/http.ts'
import { scanWithQuorum } from '../rpc/quorum.ts'
import { BalanceReader } from './balances.ts'
import { claimOf } from './cursor.ts'
import { isForwarder } from './forwarder/recovery.ts'
import { deployerFault, tokenFault } from './readiness.ts'
import { type RpcOptions, rpcOf } from './rpc.ts'
import { look, type Readers } from './scan.ts'
import { contradicts, opening } from './start-watch.ts'
import { sweep } from './sweep/sweep.ts'

/** A chain id that the table does not know, served by this machine alone: a developer's own chain. */
const isPrivate = (options: RpcOptions): boolean =>
  !isKnownChainId(options.chainId) && options.endpoints.every(url => new Upstream(url, options).isLocal)

/** The assets of one chain id, with the endpoints that serve it. */
export class EvmChain {
  readonly #config: ChainConfig
  readonly #rpc: Endpoints<Node>
  readonly #readers: Readers
  readonly #remembered: HealthCache

  constructor(config: Omit<ChainConfig, 'blockTimeMs'>, options: RpcOptions, blocksAtOnce: number) {
    const blockTimeMs = isPrivate(options) ? null : blockTimeOf(config.chain)
    this.#config = { ...config, blockTimeMs }
    this.#rpc = rpcOf(options)
    this.#readers = { logs: new LogReader(blocksAtOnce), balances: new BalanceReader() }
    this.#remembered = new HealthCache(options.clock)
  }

  /** Why an asset cannot be offered; null when it can. Throws NetworkFault. */
  async fault(asset: Asset): Promise<string | null> {
    await this.#rpc.ensureReachable()
    const { chainId } = this.#config
    const onChain = await this.#remembered.fault('deployer', () =>
      this.#rpc.withFailover(node => deployerFault(node, chainId)),
    )
    const key = `${asset.contract} ${asset.decimals}`
    return (
      onChain ?? this.#remembered.fault(key, () => this.#rpc.withFailover(node => tokenFault(node, asset)))
    )
  }

  /** From where the watch of an address begins that is given out now. Throws NetworkFault. */
  async begin(own: OwnAddress): Promise<Json> {
    const first = await this.#rpc.withFailover(async node => ({
      node,
      cursor: await lookSteadily(() => opening(node, this.#config, own)),
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
    return lookSteadily(() => look(node, this.#config, this.#readers, watches))
  }

  /** What lies on forwarders now, and the calls that move it. Throws NetworkFault. */
  sweep(request: SweepRequest): Promise<Swept> {
    return this.#rpc.withFailover(node => sweep(node, this.#config, request))
  }
}
