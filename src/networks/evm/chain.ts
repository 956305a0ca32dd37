import type { Asset } from '../../domain/asset.ts'
import type { Json } from '../../domain/metadata.ts'
import { blockTimeOf, isKnownChainId } from '../assets.ts'
import type { ChainConfig } from '../evm-like/chain-config.ts'
import { LogReader, retryReorganised } from '../evm-like/logs.ts'
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
import { balanceFingerprint } from './cursor.ts'
import { readOrigin } from './forwarder/source.ts'
import { assetProblem, deployerProblem } from './readiness.ts'
import { type RpcOptions, rpcOf } from './rpc.ts'
import { type Readers, scan } from './scan.ts'
import { contradictsCursor, startWatch } from './start-watch.ts'
import { sweep } from './sweep/sweep.ts'

/** A developer's own chain: the table doesn't know its id, and only this machine serves it. */
const isPrivate = (options: RpcOptions): boolean =>
  !isKnownChainId(options.chainId) && options.endpoints.every(url => new Upstream(url, options).isLocal)

/** The assets of one chain id, with the endpoints that serve it. */
export class EvmChain {
  readonly #config: ChainConfig
  readonly #rpc: Endpoints<Node>
  readonly #readers: Readers
  readonly #health: HealthCache

  constructor(config: Omit<ChainConfig, 'blockTimeMs'>, options: RpcOptions, blocksAtOnce: number) {
    this.#config = { ...config, blockTimeMs: isPrivate(options) ? null : blockTimeOf(config.chain) }
    this.#rpc = rpcOf(options)
    this.#readers = { logs: new LogReader(blocksAtOnce), balances: new BalanceReader() }
    this.#health = new HealthCache(options.clock)
  }

  /** Why an asset can't be offered; null if it can. Throws NetworkError. */
  async unavailableReason(asset: Asset): Promise<string | null> {
    await this.#rpc.ensureReachable()
    const { chainId } = this.#config
    const problem = await this.#health.fault('deployer', () =>
      this.#rpc.withFailover(node => deployerProblem(node, chainId)),
    )
    if (problem !== null) return problem
    return this.#health.fault(`${asset.contract} ${asset.decimals}`, () =>
      this.#rpc.withFailover(node => assetProblem(node, asset)),
    )
  }

  /** The first cursor of an address that is allocated now. Throws NetworkError. */
  async startWatch(own: OwnAddress): Promise<Json> {
    const first = await this.#rpc.withFailover(async node => ({
      node,
      cursor: await retryReorganised(() => startWatch(node, this.#config, own)),
    }))
    if (readOrigin(own.source).kind === 'create2') return first.cursor
    if (!(await this.#isContradicted(own.address, first.cursor, first.node))) return first.cursor
    throw new NetworkError('has two endpoints that report different balances of one address')
  }

  /** Asks another reachable endpoint: what an account holds now must not be found as a payment later. */
  async #isContradicted(address: string, cursor: Json, except: Node): Promise<boolean> {
    try {
      return await this.#rpc.withFailover(
        node => contradictsCursor(node, this.#config, address, cursor),
        except,
      )
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      return false
    }
  }

  /** Scans many addresses at once. Throws NetworkError. */
  scan(watches: Watch[]): Promise<WatchResult[]> {
    const scanWith = (node: Node, own: Watch[]): Promise<WatchResult[]> =>
      retryReorganised(() => scan(node, this.#config, this.#readers, own))
    return scanWithQuorum(this.#rpc, scanWith, watches, balanceFingerprint)
  }

  /** Lists what forwarders hold, and writes the calls that move it. Throws NetworkError. */
  sweep(request: SweepRequest): Promise<Swept> {
    return this.#rpc.withFailover(node => sweep(node, this.#config, request))
  }
}
