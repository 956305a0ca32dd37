import { closeSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { programsOfPostgres } from './postgres-cluster.ts'

/** Options that make psql print only rows, and end at the first error. */
const OPTIONS = '-X -q -A -t -v ON_ERROR_STOP=1'
const LOST = /connection to server was lost|terminating connection/
const POLL_MS = 1

/** A program with an open session, to which a test sends statements without a turn of the event loop. */
interface Psql {
  url: string
  /** the descriptor of its input, output and errors */
  channel: number
  /** what is prepared on its connection */
  prepared: Set<string>
}

let open: Psql | null = null

function start(url: string): Psql {
  const script = `exec "$0" ${OPTIONS} -d "$1" <&3 >&3 2>&3`
  const child = Bun.spawn(['sh', '-c', script, join(programsOfPostgres(), 'psql'), url], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    // Without this, a notice would be read as a row.
    env: { ...process.env, PGOPTIONS: '-c client_min_messages=error' },
  })
  child.unref()
  return { url, channel: Number(child.stdio[3]), prepared: new Set() }
}

/** Repeats a call until the program has read the statement, or has answered. */
function patiently(call: () => number): number {
  for (;;) {
    try {
      return call()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE' || code === 'ECONNRESET') return 0
      if (code !== 'EAGAIN') throw error
      Bun.sleepSync(POLL_MS)
    }
  }
}

function send(channel: number, text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    const sent = patiently(() => writeSync(channel, rest))
    if (sent === 0) return
    rest = rest.subarray(sent)
  }
}

const part = Buffer.alloc(1 << 20)

/** Reads until the mark. If the mark is missing, the program has ended, and its last output says why. */
function receive(channel: number, mark: string): { text: string; isDone: boolean } {
  const parts: Buffer[] = []
  let end = ''
  for (;;) {
    const size = patiently(() => readSync(channel, part, 0, part.length, null))
    parts.push(Buffer.from(part.subarray(0, size)))
    end = (end + part.toString('latin1', Math.max(0, size - mark.length), size)).slice(-mark.length)
    const isDone = end === mark
    if (!isDone && size > 0) continue
    const text = Buffer.concat(parts).toString()
    return { text: isDone ? text.slice(0, -mark.length) : text, isDone }
  }
}

/** The session, connected to this database. */
function sessionOf(url: string): { session: Psql; connect: string } {
  open ??= start(url)
  if (open.url === url) return { session: open, connect: '' }
  open.url = url
  open.prepared.clear()
  return { session: open, connect: `\\connect "${url}"\n` }
}

function ask({ session, connect }: ReturnType<typeof sessionOf>, statement: string) {
  const mark = `done ${crypto.randomUUID()}\n`
  send(session.channel, `${connect}${statement}\n;\n\\echo ${mark}`)
  const answer = receive(session.channel, mark)
  if (!answer.isDone) {
    closeSync(session.channel)
    open = null
  }
  return answer
}

/** Asks again if the database was dropped, or its server killed, since the last statement. */
function run(url: string, statementFor: (session: Psql) => string): string {
  const once = () => {
    const to = sessionOf(url)
    return ask(to, statementFor(to.session))
  }
  const first = once()
  const answer = !first.isDone && LOST.test(first.text) ? once() : first
  if (!answer.isDone) throw new Error(`psql failed: ${answer.text}`)
  return answer.text
}

/**
 * Runs a statement synchronously, and returns the rows as lines. One session stays open: a new one takes ten
 * times as long to read about the tables as the statement takes.
 */
export const runScript = (url: string, statement: string): string => run(url, () => statement)

/** Runs a statement like `runScript`, but prepares it once: planning a long one takes longer than running it. */
export const runPrepared = (url: string, name: string, statement: string): string =>
  run(url, ({ prepared }) => {
    if (prepared.has(name)) return `EXECUTE ${name}`
    prepared.add(name)
    return `PREPARE ${name} AS ${statement};\nEXECUTE ${name}`
  })
