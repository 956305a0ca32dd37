// The cost of a scan of open attempts: requests and calls to endpoints, and the time of this process.
import type { Asset } from '../../src/domain/asset.ts'
import type { Fetch, Watch } from '../../src/networks/port.ts'
import {
  type Attempt as BitcoinAttempt,
  openScene as openBitcoin,
  openAttempt as openBitcoinAttempt,
  scanAttempts,
} from '../networks/bitcoin-scene.ts'
import { freshAccount, openAccount, openAttempt, openScene } from '../networks/evm-scene.ts'
import { openPayments } from '../support/open-payments.ts'

const COUNTS = [1, 100, 1000]
const ROUNDS = 15
const WARM_UPS = 5

interface Traffic {
  requests: number
  /** calls in the requests, which many providers charge for individually */
  calls: number
  bytes: number
}

interface Opened {
  poll(): Promise<unknown>
  /** advances the chain as between two scans if nobody pays */
  pass(): Promise<unknown>
  /** pays one of the attempts */
  pay(): Promise<unknown>
}

interface Case {
  name: string
  traffic: Traffic
  open(count: number): Promise<Opened>
}

interface Cost extends Traffic {
  cpuMs: number
  wallMs: number
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** The median of several polls, each after the chain has advanced. */
async function costOf(
  traffic: Traffic,
  poll: () => Promise<unknown>,
  before: () => Promise<unknown>,
): Promise<Cost> {
  const costs: Cost[] = []
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    await before()
    const start = { ...traffic }
    const cpu = process.cpuUsage()
    const from = performance.now()
    await poll()
    const { user, system } = process.cpuUsage(cpu)
    if (round < WARM_UPS) continue
    costs.push({
      requests: traffic.requests - start.requests,
      calls: traffic.calls - start.calls,
      bytes: traffic.bytes - start.bytes,
      cpuMs: (user + system) / 1000,
      wallMs: performance.now() - from,
    })
  }
  const of = (field: keyof Cost): number => median(costs.map(cost => cost[field]))
  return {
    requests: of('requests'),
    calls: of('calls'),
    bytes: of('bytes'),
    cpuMs: of('cpuMs'),
    wallMs: of('wallMs'),
  }
}

async function evmCases(): Promise<{ cases: Case[]; close(): Promise<void> }> {
  const traffic: Traffic = { requests: 0, calls: 0, bytes: 0 }
  const counted: Fetch = async (url, init) => {
    const body = String(init?.body)
    traffic.requests += 1
    traffic.calls += body.split('"method"').length - 1
    const response = await fetch(url, init)
    const text = await response.text()
    traffic.bytes += body.length + text.length
    return new Response(text, { status: response.status })
  }
  const scene = await openScene({ options: { fetch: counted } })
  const { anvil, network, coin, usd } = scene
  const opened = (name: string, asset: Asset, openOne: () => Promise<Watch>): Case => ({
    name,
    traffic,
    async open(count) {
      await anvil.mine(100)
      const watches: Watch[] = []
      while (watches.length < count) watches.push(await openOne())
      const poll = async () => {
        const watched = new Map((await network.scan(watches)).map(own => [own.attemptId, own.cursor]))
        for (const watch of watches) watch.cursor = watched.get(watch.attemptId)!
      }
      let payments = 0
      return {
        poll,
        pass: () => anvil.mine(1),
        async pay() {
          const { address } = watches[payments++ % count]!
          if (asset.contract) await anvil.sendToken(asset.contract, address, 5n)
          else await anvil.sendNative(address, 5n)
          await anvil.mine(1)
        },
      }
    },
  })
  const cases = [
    opened('EVM token, forwarders', usd, () => openAttempt(network, usd)),
    opened('EVM coin, forwarders', coin, () => openAttempt(network, coin)),
    opened('EVM coin, accounts', coin, async () => openAccount(network, coin, await freshAccount(scene))),
  ]
  return { cases, close: anvil.stop }
}

async function bitcoinCases(): Promise<{ cases: Case[]; close(): Promise<void> }> {
  const scene = await openBitcoin()
  const { node } = scene
  const traffic: Traffic = { requests: 0, calls: 0, bytes: 0 }
  scene.traffic.tap = async (_url, body, pass) => {
    traffic.requests += 1
    traffic.calls += Math.max(1, body.split('"method"').length - 1)
    const response = await pass()
    const text = await response.text()
    traffic.bytes += body.length + text.length
    return new Response(text, { status: response.status })
  }
  const cases = (['core', 'esplora', 'blockbook'] as const).map(
    (protocol): Case => ({
      name: `Litecoin, ${protocol}`,
      traffic,
      async open(count) {
        const network = scene.networkOf(protocol)
        const attempts: BitcoinAttempt[] = []
        while (attempts.length < count) attempts.push(await openBitcoinAttempt(network))
        let payments = 0
        return {
          poll: () => scanAttempts(network, ...attempts),
          pass: () => node.mine(),
          async pay() {
            await node.pay({ script: attempts[payments++ % count]!.script, amount: 100_000n })
            await node.mine()
          },
        }
      },
    }),
  )
  return { cases, close: scene.stop }
}

const say = (cells: (string | number)[]): void => {
  const [name, ...numbers] = cells
  process.stdout.write(
    `${String(name).padEnd(34)}${numbers.map(cell => String(cell).padStart(10)).join('')}\n`,
  )
}

const [evm, bitcoin] = [await evmCases(), await bitcoinCases()]
const cases: Case[] = [...evm.cases, ...bitcoin.cases]
say(['one poll', 'attempts', 'requests', 'calls', 'KiB', 'CPU ms', 'ms'])
for (const { name, traffic, open } of cases) {
  for (const count of COUNTS) {
    const { poll, pass, pay } = await open(count)
    for (const [what, before] of [
      ['idle', pass],
      ['one paid', pay],
    ] as const) {
      const { requests, calls, bytes, cpuMs, wallMs } = await costOf(traffic, poll, before)
      say([
        `${name}, ${what}`,
        count,
        requests,
        calls,
        Math.round(bytes / 1024),
        cpuMs.toFixed(1),
        wallMs.toFixed(1),
      ])
    }
  }
}
await evm.close()
await bitcoin.close()

const OPEN = 10_000
const LOCK_MS = 25 * 60_000
const STEPS = 6
const { app, traffic } = await openPayments(OPEN, LOCK_MS / OPEN)
let most = 0
for (let minute = 0; minute < 10; minute++) {
  traffic.requests = 0
  for (let step = 0; step < STEPS; step++) await app.advance(60_000 / STEPS)
  most = Math.max(most, traffic.requests)
}
say(['EVM, 10,000 open, requests a minute', most])
await app.close()
