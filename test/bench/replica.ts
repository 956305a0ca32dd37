// Measures how much copies off the machine cost: two servers that create orders in turn, one of them with copies in
// a store that is 50 ms away and on the same computer. Needs the executable.
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { newKeyText } from '../../src/replica/store.ts'
import { openInstallation } from '../crash/server.ts'
import { ACCESS_KEY } from '../support/object-store.ts'
import { endProcesses, newFolder } from '../support/process.ts'
import { client, type Load, send } from './load.ts'

const ROUNDS = 5
const SECONDS = 3
const LAG_EVERY_MS = 250
const METRICS = '127.0.0.1:9477'

const folder = newFolder()
const store = Bun.spawn([process.execPath, join(import.meta.dir, '../replica/store.ts')], {
  stdin: 'pipe',
  stdout: 'pipe',
})
const { value: line } = await store.stdout.getReader().read()
const [key, secret] = [join(folder, 'key'), join(folder, 'secret')]
writeFileSync(key, newKeyText())
writeFileSync(secret, ACCESS_KEY)
const copies = {
  FLORIN_REPLICA_URL: new TextDecoder().decode(line).trim(),
  FLORIN_REPLICA_ACCESS_KEY: ACCESS_KEY,
  FLORIN_REPLICA_SECRET_FILE: secret,
  FLORIN_REPLICA_KEY_FILE: key,
  FLORIN_METRICS: METRICS,
}

async function startServer(settings: Record<string, string>) {
  const installation = await openInstallation()
  Object.assign(installation.settings, settings)
  const { pid, url } = await installation.start()
  return { pid, url, liveKey: installation.key, stop: () => installation.receiver.stop() }
}

const creation = ({ url, liveKey }: { url: string; liveKey: string }): Load => ({
  url: `${url}/v1/orders`,
  method: 'POST',
  headers: { 'X-API-Key': liveKey, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    amount: '25.00',
    currency: 'USD',
    paymentMethodsKeys: ['crypto'],
    customer: { email: 'buyer@example.com' },
  }),
})

/** The delay of the copies in ms; null if there are no copies. */
async function lagMs(): Promise<number | null> {
  const text = await (await fetch(`http://${METRICS}/metrics`)).text()
  const lag = /^florin_replica_lag_seconds (\S+)/m.exec(text)
  return lag ? Number(lag[1]) * 1000 : null
}

/** Measures the lag repeatedly until `isOver` returns true. */
async function lags(isOver: () => boolean): Promise<number[]> {
  const found: number[] = []
  for (; !isOver(); await Bun.sleep(LAG_EVERY_MS)) found.push((await lagMs()) ?? Number.POSITIVE_INFINITY)
  return found
}

const middle = (figures: number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0

const plain = await startServer({})
const copied = await startServer(copies)
while (((await lagMs()) ?? Number.POSITIVE_INFINITY) > 1000) await Bun.sleep(100)
process.stdout.write(
  `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, client ${client}\n` +
    `${''.padEnd(16)}    rate, CPU without     rate, CPU with   rate   CPU   lag: middle, most\n`,
)
for (const connections of [64, 16, 1]) {
  const results: { rate: number[]; cpu: number[] }[] = [
    { rate: [], cpu: [] },
    { rate: [], cpu: [] },
  ]
  const seen: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, server] of [plain, copied].entries()) {
      let isOver = false
      const looked = server === copied ? lags(() => isOver) : Promise.resolve([])
      const { perSecond, cpuMicroseconds } = await send(server.pid, creation(server), connections, SECONDS)
      isOver = true
      results[index]?.rate.push(perSecond)
      results[index]?.cpu.push(cpuMicroseconds ?? 0)
      seen.push(...(await looked))
    }
  }
  const [without, withCopies] = results.map(({ rate, cpu }) => ({ rate: middle(rate), cpu: middle(cpu) }))
  if (!without || !withCopies) throw new Error('nothing was measured')
  const cell = ({ rate, cpu }: typeof without) => `${Math.round(rate)}/s, ${Math.round(cpu)} us`.padStart(18)
  const ratio = (part: 'rate' | 'cpu') => (withCopies[part] / without[part]).toFixed(2).padStart(6)
  const lag = `${Math.round(middle(seen))} ms, ${Math.round(Math.max(...seen))} ms`
  const name = `${connections} connection${connections === 1 ? '' : 's'}`.padEnd(16)
  process.stdout.write(
    `${name} ${cell(without)} ${cell(withCopies)} ${ratio('rate')}${ratio('cpu')}   ${lag}\n`,
  )
}
plain.stop()
copied.stop()
await endProcesses()
store.kill()
await store.exited
