import type { AcmeError } from './fault.ts'

/** Facts about the host name of a failure, for its message. */
interface Place {
  /** host name of the certificate authority */
  authority: string
  /** addresses that the name has in DNS, as this server sees it */
  addresses: readonly string[]
}

const ended = (text: string): string => text.replace(/[.]?$/, '.')

const utc = (at: number): string => new Date(at).toISOString().replace(/[.]\d+Z$/, 'Z')

/** Returns a sentence that says why no certificate was obtained, and what to do. */
export function sentenceOf({ kind, message, more }: AcmeError, { authority, addresses }: Place): string {
  const name = more.name ?? 'a name of FLORIN_DOMAIN'
  const points = addresses.length > 0 ? ` ${name} points to ${addresses.join(', ')}.` : ''
  const said = ended(`It says: ${message}`)
  switch (kind) {
    case 'dns':
      return (
        `${authority} does not find ${name} in DNS. Add an A or AAAA record that points to this ` +
        `server. ${said}`
      )
    case 'connection':
      return (
        `${authority} cannot connect to http://${name} on port 80.${points} Check that this is the public ` +
        `address of this server, and that no firewall blocks port 80. ${said}`
      )
    case 'unauthorized':
      return (
        `Another server answers at http://${name}.${points} Check that this is the public address of this ` +
        `server, in each A and AAAA record. ${said}`
      )
    case 'caa':
      return `A CAA record of ${name} forbids ${authority} to issue certificates. ${said}`
    case 'rateLimited': {
      const until = more.retryAt === undefined ? ' for now' : ` until ${utc(more.retryAt)}`
      return `${authority} refuses more requests${until}. ${said}`
    }
    case 'unreachable':
      return `${authority} cannot be used: ${ended(message)}`
    case 'malformed':
      return `${authority} gave a wrong answer: ${ended(message)}`
    case 'refused':
      return more.name === undefined
        ? `${authority} refuses the order. ${said}`
        : `${authority} refuses a certificate for ${name}. ${said}`
  }
}
