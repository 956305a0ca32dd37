import type { Asset } from '../../domain/asset.ts'
import type { Json } from '../../domain/metadata.ts'
import { NetworkFault, type SweepRequest, type Swept, type Watch, type Watched } from '../port.ts'
import type { Endpoints } from '../upstream/endpoints.ts'
import { lookTwice } from '../upstream/second-opinion.ts'
import { printCursor } from './cursor.ts'
import type { Ground } from './ground.ts'
import { LogReader, lookSteadily } from './logs.ts'
import { look } from './look.ts'
import { ask, type Header, headerAt } from './questions.ts'
import { deployerFault, tokenFault } from './readiness.ts'
import { Remembered } from './remembered.ts'
import { type Node, type RpcOptions, rpcOf } from './rpc.ts'
import { sweep } from './sweep.ts'
import { commonHeight, tipQuestions } from './tip.ts'

/** The assets of one chain id, with the endpoints that serve it. */
export class Ledger {
  readonly #ground: Ground
  readonly #rpc: Endpoints<Node>
  readonly #reader: LogReader
  readonly #remembered: Remembered

  constructor(ground: Ground, options: RpcOptions, blocksAtOnce: number) {
    this.#ground = ground
    this.#rpc = rpcOf(options)
    this.#reader = new LogReader(blocksAtOnce)
    this.#remembered = new Remembered(options.clock)
  }

  /** Why an asset cannot be offered; null when it can. Throws NetworkFault. */
  async fault(asset: Asset): Promise<string | null> {
    await this.#rpc.hear()
    const { chainId } = this.#ground
    const onChain = await this.#remembered.fault('deployer', () =>
      this.#rpc.use(node => deployerFault(node, chainId)),
    )
    const key = `${asset.contract} ${asset.decimals}`
    return onChain ?? this.#remembered.fault(key, () => this.#rpc.use(node => tokenFault(node, asset)))
  }

  /** Nothing is at a forwarder before it is given out, so that what is final now need not be watched. */
  async begin(): Promise<Json> {
    const { height, hash, seen } = await this.#rpc.use(async node => {
      const [head, finalized] = await ask(node, tipQuestions)
      const opened = commonHeight(this.#ground.assets, { head, finalized })
      const [header] = await ask<[Header | null]>(node, [headerAt(opened)])
      if (!header) throw new NetworkFault(`does not know block ${opened}`)
      return { height: opened, hash: header.hash, seen: head.height }
    })
    return printCursor({ height, hash, balance: 0n, opened: height, seen, changes: [] })
  }

  /** Looks at many addresses at once; again, when its chain was reorganised then. Throws NetworkFault. */
  check(watches: Watch[]): Promise<Watched[]> {
    const lookAt = (node: Node, own: Watch[]) =>
      lookSteadily(() => look(node, this.#ground, this.#reader, own))
    return lookTwice(this.#rpc, lookAt, watches)
  }

  /** What lies on forwarders now, and the calls that move it. Throws NetworkFault. */
  sweep(request: SweepRequest): Promise<Swept> {
    return this.#rpc.use(node => sweep(node, this.#ground, request))
  }
}
