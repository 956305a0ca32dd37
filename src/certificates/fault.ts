/** Kinds of faults. Each has its own message for the operator or its own time until the next try. */
export type FaultKind =
  | 'unreachable'
  | 'malformed'
  | 'rateLimited'
  | 'dns'
  | 'connection'
  | 'unauthorized'
  | 'caa'
  | 'refused'

/** Thrown if no certificate could be obtained. The message is usually that of the certificate authority. */
export class AcmeError extends Error {
  constructor(
    readonly kind: FaultKind,
    message: string,
    readonly more: {
      /** the host name to which the fault applies */
      name?: string
      /** the CA wants no new request before this time */
      retryAt?: number
      /** the type of the CA's problem document, without its prefix */
      type?: string
    } = {},
  ) {
    super(message)
  }
}

export const malformed = (what: string): AcmeError => new AcmeError('malformed', what)

const kinds: Readonly<Record<string, FaultKind>> = {
  rateLimited: 'rateLimited',
  dns: 'dns',
  connection: 'connection',
  tls: 'connection',
  unauthorized: 'unauthorized',
  incorrectResponse: 'unauthorized',
  caa: 'caa',
}

type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Puts a text of a CA on one line, removes control characters and truncates it, for logs and pages. */
const tidy = (text: string): string =>
  text
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 300)

/** Reads a problem document (RFC 7807) of a CA. Of several problems, the first counts. */
export function problemError(document: unknown, more: { name?: string; retryAt?: number } = {}): AcmeError {
  const fields = fieldsOf(document)
  const [first] = Array.isArray(fields.subproblems) ? fields.subproblems.map(fieldsOf) : []
  if (first !== undefined) {
    const name = textOf(fieldsOf(first.identifier).value) || more.name
    return problemError({ ...first, subproblems: null }, { ...more, ...(name && { name }) })
  }
  const type = textOf(fields.type).replace(/^urn:ietf:params:acme:error:/, '')
  const detail = tidy(textOf(fields.detail)) || tidy(type) || 'no reason was given'
  return new AcmeError(kinds[type] ?? 'refused', detail, { ...more, type })
}
