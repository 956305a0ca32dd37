import type { Random } from './random.ts'

/** A request before it is encoded, so that any part of it can be mutated. */
export interface Draft {
  method: string
  /** the segments of the path, not encoded yet */
  path: string[]
  query: [string, string][]
  headers: [string, string][]
  /** a JSON value, or the fields of a form */
  body?: unknown
  /** `parts` is a form with files, whose boundary is x */
  kind: 'json' | 'form' | 'parts' | 'none'
}

export interface Bytes {
  method: string
  url: string
  headers: [string, string][]
  body: Uint8Array | undefined
}

const nested = (depth: number): unknown => JSON.parse(`${'[{"a":'.repeat(depth)}0${'}]'.repeat(depth)}`)

const texts = [
  ...['', ' ', '\0', 'a\0b', '\ud800', 'x\udfff', '\u202e', '\ufeff', '\u{1f600}'],
  "'; DROP TABLE orders; --",
  ...['__proto__', 'constructor', 'toString', '*', '%', '%00', '../../etc/passwd', '<script>', '{}', 'null'],
  ...['-1', '0', '00000.00', '1e3', 'NaN', '99999999999999999999', '0.0001', '999999999999999999.99'],
  ...['2026-02-30T00:00:00Z', '9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00Z', 'https://[::1]/'],
  ...['http://127.0.0.1:1/', 'https://user@shop.example', 'https://shop.example:0/', 'USD', 'XXX', 'all'],
  ...['a'.repeat(129), 'ä'.repeat(2049), 'a'.repeat(9000), '0x0000000000000000000000000000000000000000'],
]

const odd: unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 0.1, 1e21, 2 ** 53, 5e-324, 1.7976931348623157e308],
  ...[[], {}, [null], [[]], [{}], ['*', '*'], { length: 1 }, { toString: 1 }, nested(3), nested(40)],
  nested(300),
  Object.fromEntries([['__proto__', { admin: true }]]),
  Object.fromEntries([['constructor', { prototype: { a: 1 } }]]),
  Array.from({ length: 2000 }, (_, i) => i),
]

type Position = { holder: Record<string, unknown> | unknown[]; key: string | number }

/** Every position in a JSON value where another value can be put. */
function positionsOf(value: unknown, depth = 0): Position[] {
  if (value === null || typeof value !== 'object' || depth > 6) return []
  return Object.keys(value).flatMap(key => [
    { holder: value as Record<string, unknown>, key },
    ...positionsOf((value as Record<string, unknown>)[key], depth + 1),
  ])
}

const put = ({ holder, key }: Position, value: unknown): void => {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

const anything = (random: Random): unknown =>
  random.chance(0.5) ? random.pick(texts) : structuredClone(random.pick(odd))

function mutateValue(draft: Draft, random: Random): void {
  const positions = positionsOf(draft.body)
  if (positions.length === 0 || random.chance(0.05)) {
    draft.body = anything(random)
    return
  }
  const position = random.pick(positions)
  const turn = random.below(5)
  if (turn === 0) Reflect.deleteProperty(position.holder, position.key)
  else if (turn === 1) put({ holder: position.holder, key: random.pick(texts) }, anything(random))
  else if (turn === 2) put(position, [position.holder[position.key as never]])
  else if (turn === 3) put(position, structuredClone(random.pick(positions).holder))
  else put(position, anything(random))
}

const mutateQuery = ({ query }: Draft, random: Random): void => {
  const at = random.below(query.length + 1)
  const turn = random.below(3)
  const known = query[at]
  if (!known || turn === 0)
    query.push([random.pick(['pageSize', 'pageToken', 'method', '', ...texts]), random.pick(texts)])
  else if (turn === 1) query.push([known[0], random.pick(texts)])
  else query[at] = [known[0], random.pick(texts)]
}

function mutatePath({ path }: Draft, random: Random): void {
  const at = random.below(path.length)
  const turn = random.below(5)
  if (turn === 0) path[at] = (path[at] ?? '').toUpperCase()
  else if (turn === 1) path.splice(at, 1)
  else if (turn === 2) path.push(random.pick(texts))
  else path[at] = random.pick(texts)
}

const headers: [string, string[]][] = [
  ['x-api-key', ['', 'x', 'é', 'a'.repeat(9000), 'florin_live_', '\u00ff\u00fe', 'null']],
  ['idempotency-key', ['', 'short', 'a'.repeat(129), 'with space here', 'éééééééé', '12345678', '__proto__']],
  [
    'content-type',
    ['', 'text/plain', 'application/json; charset=utf-16', 'multipart/form-data; boundary=x', 'a/b'],
  ],
  [
    'content-type',
    ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/octet-stream', ';'],
  ],
  ['content-length', ['-1', 'many', '99999999999', '0', '1e9', '600000']],
  ['content-encoding', ['gzip', 'br', 'deflate', 'identity', 'nothing']],
  ['transfer-encoding', ['chunked', 'gzip, chunked']],
  ['accept', ['text/html', '*/*', '', 'application/json;q=0', 'a'.repeat(5000)]],
  ['accept-encoding', ['gzip', 'br;q=1.0, *;q=0', 'zstd', ';;;']],
  ['x-forwarded-for', ['127.0.0.1', '::1, 1.2.3.4', 'nobody']],
  ['x-request-id', ['mine', '']],
  ['cookie', ['a=b', '=;=', 'a=%ff']],
  ['hx-request', ['true']],
  ['x-paygate-signature', ['', 'AAAA', '%%%', 'a'.repeat(5000)]],
  ['x-paygate-key-id', ['v1', '../v1', '']],
  ['origin', ['https://elsewhere.example', 'null']],
  ['range', ['bytes=0-1']],
]

function mutateHeaders(draft: Draft, random: Random): void {
  const [name, values] = random.pick(headers)
  const known = draft.headers.find(([other]) => other === name)
  const turn = random.below(3)
  if (known && turn === 0) draft.headers = draft.headers.filter(other => other !== known)
  else if (known && turn === 1) known[1] = mutateText(known[1], random)
  else if (known) known[1] = random.pick(values)
  else draft.headers.push([name, random.pick(values)])
}

/** A string with one character added, removed or changed. */
function mutateText(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  return text.slice(0, at) + random.pick(['', 'A', ' ', '_', 'é']) + text.slice(at + random.below(2))
}

const mutateMethod = (draft: Draft, random: Random): void => {
  draft.method = random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])
}

const mutators: [weight: number, mutator: (draft: Draft, random: Random) => void][] = [
  [8, mutateValue],
  [3, mutateQuery],
  [3, mutatePath],
  [3, mutateHeaders],
  [1, mutateMethod],
]
const bag = mutators.flatMap(([weight, mutator]) => Array<typeof mutator>(weight).fill(mutator))

/** Mutations that no JSON value can express: bytes that are cut off, flipped, repeated, or too many. */
const byteMutators: ((bytes: Buffer, random: Random) => Uint8Array)[] = [
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => {
    const copy = Buffer.from(bytes)
    if (copy.length > 0) copy[random.below(copy.length)] = random.below(256)
    return copy
  },
  (bytes, random) => Buffer.concat([bytes, Buffer.from(random.pick(['}', ' ', '\0', ',{}', 'null']))]),
  bytes => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  bytes => Buffer.concat([Buffer.from([0xc3, 0x28, 0xff]), bytes]),
  bytes => Buffer.from(bytes.toString('utf8').replace('{', '{"amount":"1.00","amount":"2.00","url":"a",')),
  bytes => Buffer.from(bytes.toString('utf8').replace(/"[0-9.]+"/, '1e400')),
  bytes => Buffer.from(bytes.toString('utf8').replace(/:"/, ':"\\ud800\\u0000')),
  bytes => Buffer.from(bytes.toString('utf8').replace(/"/g, "'")),
  bytes => Buffer.from(bytes.toString('utf8'), 'utf16le'),
  () => Buffer.from('[{"a":'.repeat(20_000)),
  () => Buffer.from(`{"__proto__":{"amount":"1.00"},"constructor":1}`),
  () => Buffer.alloc(0),
]
const HUGE = Buffer.alloc(600 * 1024, '"')

const print = (part: string): string => encodeURIComponent(part.toWellFormed())

const fieldOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Writes a field of a form. A file is a field with the name `file`, whose bytes are given as Latin-1. */
const partOf = ([name, value]: [string, unknown]): string => {
  const file = name === 'file' ? '; filename="a.png"' : ''
  return `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${fieldOf(value)}\r\n`
}

function bytesOf({ body, kind }: Draft): Buffer | undefined {
  if (kind === 'none' || body === undefined) return undefined
  if (kind === 'json') return Buffer.from(JSON.stringify(body))
  const isFields = body !== null && typeof body === 'object'
  const fields: [string, unknown][] = isFields ? Object.entries(body) : [['asset', body]]
  if (kind === 'parts') return Buffer.from(`${fields.map(partOf).join('')}--x--\r\n`, 'latin1')
  return Buffer.from(fields.map(([name, value]) => `${print(name)}=${print(fieldOf(value))}`).join('&'))
}

/** Mutates a valid request in one to three ways. */
export function mutate(valid: Draft, random: Random, base: string): Bytes {
  const draft = structuredClone(valid)
  for (let times = 1 + random.below(3); times > 0; times--) random.pick(bag)(draft, random)
  const encoded = bytesOf(draft)
  let body: Uint8Array | undefined = encoded
  if (encoded && random.chance(0.2)) body = random.pick(byteMutators)(encoded, random)
  if (encoded && random.chance(0.005)) body = HUGE
  // An encoder would never write a lone %.
  const oddly = (part: string): string =>
    random.chance(0.1) ? part.replace(/[^!-~]|[?#]/g, '%') : print(part)
  return encode(draft, base, body, oddly)
}

/** The bytes of a request, or of one with another body or another spelling of its URL. */
export function encode(
  draft: Draft,
  base: string,
  body: Uint8Array | undefined = bytesOf(draft),
  encodePart = print,
): Bytes {
  const path = draft.path.map(encodePart).join('/')
  const query = draft.query.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`).join('&')
  const hasBody = draft.method !== 'GET' && draft.method !== 'HEAD'
  return {
    method: draft.method,
    url: `${base}/${path}${query && `?${query}`}`,
    headers: draft.headers,
    body: hasBody ? body : undefined,
  }
}

/** Null for a request that a client refuses to send. */
export function requestOf({ method, url, headers, body }: Bytes): Request | null {
  try {
    return new Request(url, { method, headers, ...(body && { body: body as Uint8Array<ArrayBuffer> }) })
  } catch {
    return null
  }
}
