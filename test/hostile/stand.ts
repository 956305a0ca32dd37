import { registry } from '../../src/coins/registry.ts'
import type { Chain, Transfer } from '../simulation/chain.ts'
import { Endpoint, type Front } from '../simulation/endpoint.ts'
import type { Setup } from '../simulation/history.ts'
import type { Family } from '../simulation/lies.ts'
import { plans } from '../simulation/plans.ts'
import { DistortedChain, DrivenChain } from './driven-chain.ts'
import { HONEST, type Liar, liarNamed } from './liars.ts'
import { ELSEWHERE } from './wire.ts'

/**
 * Families of chains whose addresses come from the merchant's account, because that is their only source, or
 * the only one that endpoints report on.
 */
const withAccount: ReadonlySet<Family> = new Set(['bitcoin', 'blockbook', 'core', 'tron', 'monero'])
const interfaces: Partial<Record<Family, string>> = {
  bitcoin: 'esplora',
  blockbook: 'blockbook',
  core: 'core',
  tron: 'both',
}

/** The asset that buyers pay with: a token if there is one, because more can be a lie about tokens. */
const assets: Record<Family, string> = {
  evm: 'polygon/usdc',
  bitcoin: 'btc',
  blockbook: 'btc',
  core: 'btc',
  tron: 'trc20/usdt',
  solana: 'solana/sol',
  monero: 'xmr',
}

export const setupOf = (family: Family): Setup => ({
  family,
  seed: 1,
  endpoints: 2,
  finalityLag: 3,
  quorumAbove: null,
  hasAccount: withAccount.has(family),
  interfaces: [interfaces[family] ?? '', interfaces[family] ?? ''],
})

/** The block time above which waiting for several blocks takes too long. */
const PATIENT_MS = 10_000

interface StandOptions {
  /** port of the first endpoint; a free one by default */
  port?: number
  hostname?: string
}

/** An endpoint that answers over HTTP. */
interface Served {
  /** the URL that a client uses */
  url: string
  /** the number of requests so far, and of those that followed a redirect */
  asked: number
  followed: number
  stop(): Promise<void>
}

/** A small chain of one family with two endpoints. The first one can lie. */
export class Stand {
  readonly family: Family
  readonly asset: string
  readonly decimals: number
  readonly chain: DrivenChain
  readonly liar: Served
  readonly honest: Served
  readonly #pace: { confirmations: number; blockMs: number }
  readonly #targets = new Set<string>()
  readonly #frontOf: (chain: Chain) => Front
  #lie: Liar | null = null
  #respond: (path: string, body: string) => Response
  #mining: ReturnType<typeof setInterval> | null = null

  constructor(family: Family, { port = 0, hostname = '127.0.0.1' }: StandOptions = {}) {
    this.family = family
    this.asset = assets[family]
    const { chainId, firstHeight, blockMs, front } = plans[family]
    const own = registry.assets.filter(({ chain }) => chain === chainId)
    const contracts = new Map(
      own.flatMap(({ id, contract }) => (contract === null ? [] : [[id, contract] as const])),
    )
    const { decimals, confirmations } = own.find(({ id }) => id === this.asset)!
    this.decimals = decimals
    this.#pace = { confirmations, blockMs }
    this.chain = new DrivenChain({ firstHeight, blockMs })
    const targets = () => [...this.#targets]
    this.#frontOf = chain => front({ chain, setup: setupOf(family), index: 0, contracts, targets })
    const truth = this.#endpointOf(this.chain)
    this.#respond = this.#endpointOf(this.chain)
    this.liar = serve(
      { hostname, port },
      (path, body) => this.#respond(path, body),
      () => this.#lie,
    )
    const second = port === 0 ? 0 : port + 1
    this.honest = serve({ hostname, port: second }, truth, () => null)
  }

  #endpointOf(chain: Chain, liar: Liar | null = null): (path: string, body: string) => Response {
    const endpoint = new Endpoint('', this.#frontOf(chain))
    if (liar?.lie) endpoint.lie({ ...liar.lie, times: Number.POSITIVE_INFINITY })
    return (path, body) => endpoint.respond(path, body)
  }

  /** An endpoint of the family as Florin's settings write it. */
  settingOf({ url }: Served): string {
    const host = url.replace(/^http:\/\//, '')
    return plans[this.family].urlOf(host, setupOf(this.family), 0).replace('https://', 'http://')
  }

  get lie(): string {
    return this.#lie?.name ?? HONEST
  }

  /** Makes the first endpoint misbehave in this way from now on. */
  lieLike(name: string): void {
    const liar = liarNamed(this.family, name)
    const honest = this.#endpointOf(this.chain)
    const blank = this.#endpointOf(new DistortedChain(this.chain, { transfer: () => null }))
    let turns = 0
    if (liar?.isDivided) this.#respond = (path, body) => (turns++ % 2 === 0 ? honest : blank)(path, body)
    else if (liar?.distortion)
      this.#respond = this.#endpointOf(new DistortedChain(this.chain, liar.distortion))
    else this.#respond = this.#endpointOf(this.chain, liar)
    this.#lie = liar
  }

  /** Adds an address of the payments server, to which payments can be invented. */
  expect(address: string): void {
    this.#targets.add(plans[this.family].spell(address))
  }

  forget(address: string): void {
    this.#targets.delete(plans[this.family].spell(address))
  }

  /** Pays an address in the next block. */
  pay(address: string, amount: bigint, asset = this.asset): Transfer {
    return this.chain.add({ to: plans[this.family].spell(address), asset, amount, kind: 'payment' })
  }

  /** Mines a block at this interval, by default that of the real chain, until the chain is stopped. */
  mineEvery(ms = plans[this.family].blockMs): void {
    this.#mining ??= setInterval(() => this.chain.mine(1), ms)
  }

  /**
   * Mines at the pace of the real chain, or, where that takes too long, the blocks that a payment needs.
   * Servers that rely on the chain's pace would look for payments too high if it grew much faster.
   */
  confirm(): void {
    const { confirmations, blockMs } = this.#pace
    if (blockMs > PATIENT_MS) this.chain.mine(confirmations)
    else this.mineEvery(blockMs)
  }

  async stop(): Promise<void> {
    if (this.#mining) clearInterval(this.#mining)
    await Promise.all([this.liar.stop(), this.honest.stop()])
  }
}

const BODY_BYTES_MAX = 16 * 1024 * 1024

function serve(
  { hostname, port }: Required<StandOptions>,
  respond: (path: string, body: string) => Response,
  lie: () => Liar | null,
): Served {
  const server = Bun.serve({
    hostname,
    port,
    idleTimeout: 0,
    maxRequestBodySize: BODY_BYTES_MAX,
    async fetch(request) {
      const url = new URL(request.url)
      served.asked += 1
      const isElsewhere = url.pathname.startsWith(ELSEWHERE)
      if (isElsewhere) {
        served.followed += 1
        url.pathname = url.pathname.slice(ELSEWHERE.length)
      }
      const answer = answerTo(respond, url.pathname + url.search, await request.text())
      const spoil = isElsewhere ? undefined : lie()?.spoil
      return spoil ? spoil({ status: answer.status, text: await answer.text(), url }) : answer
    },
  })
  const served = {
    url: `http://${hostname}:${server.port}`,
    asked: 0,
    followed: 0,
    stop: () => server.stop(true),
  }
  return served
}

/** The fronts know the requests that Florin sends. Other requests get the answer of a proxy. */
function answerTo(respond: (path: string, body: string) => Response, path: string, body: string): Response {
  try {
    return respond(path, body)
  } catch {
    return new Response('Bad request', { status: 400 })
  }
}
