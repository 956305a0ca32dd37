import type { SmtpServer } from './smtp-server.ts'

/** The text of a part of a mail, as a mail program shows it. */
const decoded = (part: string): string => {
  const [head = '', ...rest] = part.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString()
  if (!/quoted-printable/i.test(head)) return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** A mail as a person reads it. */
export interface ReadMail {
  subject: string
  replyTo: string | undefined
  messageId: string | undefined
  text: string
  html: string
  /** the image with its headers, as sent; empty without an image */
  image: string
}

function read(data: string): ReadMail {
  const boundaries = [...data.matchAll(/boundary="([^"]+)"/g)].map(([, boundary]) => `--${boundary}`)
  const parts = boundaries.reduce((found, boundary) => found.flatMap(one => one.split(boundary)), [data])
  const partOf = (type: string) => (parts.find(one => one.includes(`Content-Type: ${type}`)) ?? '').trim()
  const part = (type: string) => decoded(partOf(type))
  const header = (name: string) => new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'mi').exec(data)?.[1]
  const subject = (header('Subject') ?? '')
    .replace(/\r\n[ \t]/g, ' ')
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, text: string) => Buffer.from(text, 'base64').toString())
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_, text: string) =>
      Buffer.from(
        text
          .replaceAll('_', ' ')
          .replace(/=([0-9A-F]{2})/g, (__, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString(),
    )
  return {
    subject,
    replyTo: header('Reply-To'),
    messageId: header('Message-ID'),
    text: part('text/plain'),
    html: part('text/html'),
    image: partOf('image/'),
  }
}

/** The mails that were sent to an address, oldest first. */
export const mailsTo = ({ received }: SmtpServer, address: string): ReadMail[] =>
  received.filter(({ to }) => to.includes(address)).map(({ data }) => read(data))
