import { createTransport } from 'nodemailer'
import type { Channel } from './port.ts'

/** How long each step may take. The silence of a connection may be twice as long, and all of it six times. */
const STEP_MS = 10_000
const REASON_MAX = 200

interface MailOptions {
  /** smtp:// or smtps://, with the user and password if the server needs them */
  url: string
  from: string
  /** certificates to trust in place of the system's; PEM */
  ca: string | undefined
  stepMs?: number
  /** throws inside a write, where network calls are forbidden */
  assertOutside(action: string): void
}

const isLoopback = (host: string): boolean => /^(localhost|127[.]|\[::1\])/.test(host)

/** Mail and credentials leave this machine only over TLS. */
function transportOf({ url, ca, stepMs = STEP_MS }: MailOptions) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  return createTransport({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && (username !== '' || !isLoopback(hostname)),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    dnsTimeout: stepMs,
    socketTimeout: 2 * stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Why a mail was not sent, in one line. What a server says is cut off. */
function reasonOf(error: unknown): string {
  const { message = '', code = 'unknown error' } = error as { message?: string; code?: string }
  const [line = ''] = message.split(/[\r\n]/)
  return line === '' ? code : `${line.slice(0, REASON_MAX)} (${code})`
}

/** Sends plain-text mail through an SMTP server. */
export function makeMail(options: MailOptions): Channel {
  const { from, stepMs = STEP_MS } = options
  const domain = from.replace(/^.*@|>.*$/g, '') || 'localhost'
  return {
    name: 'mail',
    async send({ id, subject, text }, { email }) {
      options.assertOutside('Sending mail')
      const transport = transportOf(options)
      const timeout = Promise.withResolvers<string>()
      const timer = setTimeout(() => timeout.resolve('the mail server did not finish in time'), 6 * stepMs)
      const sent = transport
        .sendMail({
          from,
          to: { name: '', address: email },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        .then(() => null, reasonOf)
      try {
        return await Promise.race([sent, timeout.promise])
      } finally {
        clearTimeout(timer)
        transport.close()
      }
    },
  }
}
