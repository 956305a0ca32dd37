import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { startApp } from '../support/app.ts'
import { dashboardRoutes, PASSWORD } from '../support/dashboard.ts'
import { endProcesses, FLORIN, type RunningProcess, startProcess } from '../support/process.ts'
import { florinHere } from './in-process.ts'

afterAll(endProcesses)

const KB = 1024
const MB = 1024 * KB
const PEOPLE = 4
/** The server's limit of memory in our systemd unit and in our example for Kubernetes. */
const MEMORY_MAX = 1024 * MB
const WAIT_MS = 100
/** A busy machine delays any request now and then, but a fault delays it each time. */
const TRIES = 5

const PARTS = 'multipart/form-data; boundary=x'
const part = (name: string, value: string, file = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`
const filled = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length))

/** The most expensive bodies of the largest size that a form may have. */
const floods: [what: string, type: string, body: string][] = [
  ['short fields', 'application/x-www-form-urlencoded', filled('a=1&', 31 * MB)],
  ['parts', PARTS, filled(part('a', '1'), 31 * MB)],
  ['one text', PARTS, `${part('name', filled('a', 31 * MB))}--x--`],
  ['one file', PARTS, `${part('file', filled('a', 31 * MB), '; filename="a.png"')}--x--`],
  ['a form that is not too large', 'application/x-www-form-urlencoded', filled('a=1&', 15 * KB)],
]

/** FLORIN_FLOODED_FORMS=all sends them to each form of the dashboard, which takes many minutes. */
async function formsOf(): Promise<string[]> {
  if (process.env.FLORIN_FLOODED_FORMS !== 'all') return ['/dashboard/products/new']
  const app = await startApp()
  const forms = (await dashboardRoutes(app)).filter(({ method }) => method === 'POST')
  await app.close()
  const paths = forms.map(({ path }) => path.replaceAll(/:\w+/g, () => crypto.randomUUID()))
  // After this request, nobody is signed in.
  const isLast = (path: string) => path === '/dashboard/sign-out'
  return [...paths.filter(path => !isLast(path)), ...paths.filter(isLast)]
}
const forms = await formsOf()

/** Some forms first look for a row, or redirect to another page. */
const isRefused = (status: number): boolean =>
  forms.length > 1 ? status >= 300 && status < 500 : status === 400

async function signIn(server: RunningProcess, link: string): Promise<string> {
  const form = { password: PASSWORD }
  const headers = { origin: server.url, 'sec-fetch-site': 'same-origin' }
  const answer = await server.call('POST', new URL(link).pathname, { form, headers })
  expect(answer.status).toBe(303)
  return (answer.headers.get('set-cookie') ?? '').split(';')[0]!
}

/** The longest wait so far. */
const longestOf = (waits: [ms: number, path: string, what: string][]): number =>
  Math.max(...waits.map(([ms]) => ms))

/** The most memory that a process has used so far. */
const peakOf = ({ pid }: RunningProcess): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * KB

/** The processor time of a process in ms, exact to 10 ms. */
function cpuMsOf({ pid }: RunningProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** The longest time that a health check waits during the work, at most the processor time of the server. */
async function waitDuring(server: RunningProcess, work: Promise<unknown>): Promise<number> {
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const [startedAt, cpu] = [performance.now(), cpuMsOf(server)]
    expect((await server.call('GET', '/healthz')).status).toBe(200)
    longest = Math.max(longest, Math.min(performance.now() - startedAt, cpuMsOf(server) - cpu))
  }
  await ended
  return longest
}

test('people who send the largest forms at once neither stop the server nor delay others', async () => {
  const florin = florinHere()
  const { merchantId } = await florin.merchant('shop@shop.example')
  const settings = { FLORIN_DATA_DIR: florin.dataDir, FLORIN_SANDBOX: 'true' }
  const server = await startProcess(FLORIN, ['serve'], settings)
  const people: string[] = []
  for (let at = 0; at < PEOPLE; at++) {
    const person = ['--email', `staff-${at}@shop.example`, '--merchant', merchantId, '--role', 'owner']
    people.push(await signIn(server, (await florin.json('user', 'create', ...person)).link))
  }
  const waits: [ms: number, path: string, what: string][] = []
  for (const path of forms) {
    for (const [what, type, body] of floods) {
      const bytes = Buffer.from(body)
      const send = async (cookie: string) => {
        const headers = { cookie, origin: server.url, 'sec-fetch-site': 'same-origin', 'content-type': type }
        const init = { method: 'POST', headers, body: bytes, redirect: 'manual' } as const
        return (await fetch(server.url + path, init)).status
      }
      let wait = Number.POSITIVE_INFINITY
      for (let tries = 0; wait > WAIT_MS && tries < TRIES; tries++) {
        const sent = Promise.all(people.flatMap(cookie => [send(cookie), send(cookie)]))
        wait = Math.min(wait, await waitDuring(server, sent))
        const wrong = (await sent).filter(status => !isRefused(status))
        expect([path, what, wrong]).toEqual([path, what, []])
      }
      waits.push([Math.round(wait), path, what])
    }
    if (forms.length > 1) process.stderr.write(`${path}: ${longestOf(waits)} ms, ${peakOf(server) / MB} MB\n`)
  }
  expect(waits.filter(([ms]) => ms > WAIT_MS)).toEqual([])
  expect(peakOf(server)).toBeLessThan(MEMORY_MAX)
}, 3600_000)
