import { createHmac } from 'node:crypto'
import { invalid } from '../domain/errors.ts'
import type { Cli } from './cli.ts'
import { type Delivered, deliver } from './developer/deliver.ts'
import { developerCommand, type ServerOptions, serverOf } from './developer/server.ts'
import { followServer, type StreamedEvent } from './developer/stream.ts'

const RETRY_MS = 2000
const SECRET_LENGTH = 40

interface Options extends ServerOptions {
  forwardTo: string
  test?: boolean
  json?: boolean
}

/**
 * The signing secret for an API key. It is always the same, so that a shop under development is set up once.
 */
const secretOf = (apiKey: string): string =>
  `whsec_${createHmac('sha256', apiKey).update('florin listen').digest('hex').slice(0, SECRET_LENGTH)}`

function checkUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text
  throw invalid('forward-to', 'must be a URL such as http://localhost:3000/webhook')
}

const time = (): string => new Date().toLocaleTimeString('en-GB')

function lineOf({ id, type }: StreamedEvent, { status, ms, problem }: Delivered): string {
  return `${time()}  ${type.padEnd(18)}  ${id}  ${status === null ? problem : `${status} after ${ms} ms`}`
}

/** Returns a signal that is aborted by Ctrl-C, or by the end of the session. */
function untilInterrupted(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

/** Sends one event on to the shop. Waits while the shop does not run, because no event may be lost. */
async function forward(
  event: StreamedEvent,
  { url, secret, say }: { url: string; secret: string; say: (text: string) => void },
  signal: AbortSignal,
): Promise<Delivered> {
  let isReported = false
  for (;;) {
    const delivered = await deliver(url, event, { secret })
    const isAway = delivered.status === null && !delivered.problem.startsWith('no response')
    if (!isAway || signal.aborted) return delivered
    if (!isReported) say(`${url} cannot be reached. Waiting for it; no event is lost.`)
    isReported = true
    await Bun.sleep(RETRY_MS)
  }
}

export const listen = (cli: Cli) =>
  developerCommand(
    'listen',
    "send a shop's events to a server on this computer as they happen, until Ctrl-C",
    'print each event as one JSON value',
  )
    .requiredOption(
      '--forward-to <url>',
      'URL of your webhook receiver, such as http://localhost:3000/webhook',
    )
    .option('--test', 'send the events of test orders instead of live ones')
    .action(async (options: Options) => {
      const url = checkUrl(options.forwardTo)
      const server = await serverOf(cli, options)
      const followed = { ...server, isOfTests: options.test ?? false }
      const secret = cli.environment.FLORIN_WEBHOOK_SECRET ?? secretOf(server.apiKey)
      const signal = untilInterrupted()
      const say = (text: string) => cli.terminal.complain(text)
      say(`Connecting to ${server.url}. Ctrl-C ends it.\nSigning secret  ${secret}`)
      const onChange = (state: 'open' | 'lost', reason: string) =>
        say(state === 'open' ? 'Waiting for events.' : `The connection was lost (${reason}). Trying again.`)
      for await (const event of followServer(followed, { onChange }, signal)) {
        const delivered = await forward(event, { url, secret, say }, signal)
        const { id, type } = event
        const { status, ms } = delivered
        cli.terminal.print(options.json ? JSON.stringify({ id, type, status, ms }) : lineOf(event, delivered))
      }
    })
