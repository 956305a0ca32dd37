import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback } from '../domain/loopback.ts'
import type { UpstreamFault, UpstreamProblem } from '../domain/upstream-fault.ts'
import type { Channel, Message } from './port.ts'

/**
 * The time limit of each step of sending a mail. A connection may be silent for twice as long; all steps
 * together may take six times as long.
 */
const STEP_MS = 10_000
const REASON_MAX = 200

interface MailOptions {
  /** smtp:// or smtps://, with user and password if the server needs them */
  url: string
  from: string
  /** trusted certificates instead of the system's; PEM */
  ca: string | undefined
  stepMs?: number
  /** throws inside a write, where network calls are forbidden */
  assertOutside(action: string): void
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')

/** Mail and credentials leave this machine only over TLS. `address` is the IP address of the server. */
async function transportOf({ url, ca, stepMs = STEP_MS }: MailOptions, address: string) {
  // Loaded only when a mail is sent: most servers send no mail, and loading would slow down every start.
  const { createTransport } = await import('nodemailer')
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const host = hostOf(url)
  return createTransport({
    host: address,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && (username !== '' || !isLoopback(hostname)),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    tls: {
      minVersion: 'TLSv1.2',
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== undefined && { ca }),
    },
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: 2 * stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

const faults: Record<string, UpstreamFault> = {
  EAUTH: 'denied',
  ETIMEDOUT: 'silent',
  ...{ ECONNECTION: 'unreachable', ECONNREFUSED: 'unreachable', ESOCKET: 'unreachable' },
  ...{ EDNS: 'unreachable', ENOTFOUND: 'unreachable', EAI_AGAIN: 'unreachable' },
}

/** The reason why a mail was not sent, in one line. A long message of the server is cut off. */
function problemOf(error: unknown): UpstreamProblem {
  const { message = '', code = 'unknown error' } = error as { message?: string; code?: string }
  const [line = ''] = message.split(/[\r\n]/)
  const reason = line === '' ? code : `${line.slice(0, REASON_MAX)} (${code})`
  return { reason, fault: faults[code] ?? null }
}

type Transport = Awaited<ReturnType<typeof transportOf>>

/** Does work on a connection to the mail server. Returns the reason why it failed, or null. */
async function connected(options: MailOptions, work: (transport: Transport) => Promise<unknown>) {
  const { stepMs = STEP_MS } = options
  let transport: Transport | undefined
  const timeout = Promise.withResolvers<UpstreamProblem>()
  const late: UpstreamProblem = { reason: 'the mail server did not finish in time', fault: 'silent' }
  const timer = setTimeout(() => timeout.resolve(late), 6 * stepMs)
  // The system's resolver knows the hosts file; the library would ask a DNS server first.
  const done = lookup(hostOf(options.url))
    .then(async ({ address }) => {
      transport = await transportOf(options, address)
      return work(transport)
    })
    .then(() => null, problemOf)
  try {
    return await Promise.race([done, timeout.promise])
  } finally {
    clearTimeout(timer)
    transport?.close()
  }
}

interface MailChannel extends Channel {
  /** Sends a mail like `send`. Returns the reason and the usual fault of a failure, or null. */
  sendTest(message: Message, to: { email: string }): Promise<UpstreamProblem | null>
}

/** Sends mail through an SMTP server. */
export function makeMail(options: MailOptions): MailChannel {
  const { from } = options
  const domain = from.replace(/^.*@|>.*$/g, '') || 'localhost'
  const sendTest: MailChannel['sendTest'] = async (message, { email }) => {
    const { id, subject, text, html, images = [], replyTo } = message
    options.assertOutside('Sending mail')
    const mail = {
      from,
      to: { name: '', address: email },
      subject,
      text,
      ...(html !== undefined && { html }),
      attachments: images.map(image => ({
        cid: image.id,
        content: Buffer.from(image.bytes),
        contentType: image.type,
        contentDisposition: 'inline' as const,
        filename: image.type.replace('/', '.'),
      })),
      ...(replyTo && { replyTo: { name: '', address: replyTo } }),
      messageId: `<${id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    }
    return connected(options, transport => transport.sendMail(mail))
  }
  return {
    name: 'mail',
    sendTest,
    send: async (message, to) => (await sendTest(message, to))?.reason ?? null,
    async check() {
      options.assertOutside('Asking the mail server')
      return connected(options, transport => transport.verify())
    },
  }
}
