import { invalid, Refusal } from '../domain/errors.ts'
import { parseNumbers } from '../domain/lossless-json.ts'

const BODY_MAX = 512 * 1024
const FORM_MAX = 16 * 1024
/** Max fields of a form. A list has a checkbox for each of its rows, so there can be many. */
const FIELDS_MAX = 1000
const DEPTH_MAX = 32
/** Max values in a JSON body. Metadata of the largest size may have more than 8,000. */
const VALUES_MAX = 10_000

export interface BodyLimits {
  bytes: number
  /** max list items and object properties, at any depth */
  values: number
}

const bodyLimits: BodyLimits = { bytes: BODY_MAX, values: VALUES_MAX }

/** Reads a body of at most `max` bytes, with or without a Content-Length. */
export async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > max) throw tooLarge(max)
  // Bun reads at most the declared length, so `arrayBuffer()`, which is faster, is safe if a length is
  // declared.
  const isStream = length === null || request.headers.has('transfer-encoding')
  return isStream ? readStream(request, max) : new Uint8Array(await request.arrayBuffer())
}

async function readStream(request: Request, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readChunks(request, max)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Reads a body of at most `max` bytes as it arrives. */
export async function* readChunks(request: Request, max: number): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > max) throw tooLarge(max)
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > max) throw tooLarge(max)
    yield chunk
  }
}

const tooLarge = (max: number) =>
  new Refusal('body_too_large', `The request body must be at most ${max} bytes.`)

const decoder = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalid('', 'must be valid UTF-8')
  }
}

const isJson = (type: string): boolean => /^application\/([a-z0-9.-]+\+)?json\b/i.test(type)

export async function readJson(request: Request, limits = bodyLimits): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type !== null && !isJson(type)) {
    throw invalid('', 'must be JSON; send the header Content-Type: application/json')
  }
  const bytes = await readBytes(request, limits.bytes)
  const text = decode(bytes)
  if (text.trim() === '') throw invalid('', 'must have a JSON body')
  checkStructure(bytes, limits.values)
  return parse(text)
}

const QUOTE = 0x22
const COMMA = 0x2c
const AMPERSAND = 0x26
const BACKSLASH = 0x5c
/** How each bracket changes the depth of nesting, by the bracket's character code. */
const levels: Record<number, number> = { 91: 1, 123: 1, 93: -1, 125: -1 }

/** Returns the end of the string that begins at a quote. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/**
 * Refuses JSON that is nested too deeply or has too many values, before it is parsed: parsing and validating
 * millions of tiny values would block the server for seconds.
 */
function checkStructure(bytes: Uint8Array, valuesMax: number): void {
  let values = 1
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfString(bytes, at)
    const level = levels[byte] ?? 0
    depth += level
    if (level > 0 || byte === COMMA) values++
    if (depth > DEPTH_MAX) throw invalid('', `must be nested at most ${DEPTH_MAX} levels deep`)
    if (values > valuesMax) throw invalid('', `must contain at most ${valuesMax} values`)
  }
}

/** Refuses numbers that JavaScript cannot represent exactly, because other numbers would be stored. */
function exactNumber(digits: string, value: number): number {
  if (!Number.isFinite(value) || normalize(digits) !== normalize(String(value)))
    throw new RangeError('inexact')
  return value
}

/**
 * Returns the same text for all spellings of a decimal: its digits without outer zeros, and the power of ten.
 */
function normalize(decimal: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:[.](\d+))?(?:[eE]([+-]?\d+))?$/.exec(decimal) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  if (trimmed === '') return '0'
  return `${trimmed}e${Number(exponent) - fraction.length + digits.length - trimmed.length}`
}

/**
 * Matches if a number may be inexact. Numbers of up to 15 digits are exact, and checking each number takes
 * ten times as long as parsing.
 */
const mayBeInexact = /[0-9][0-9.]{15}|[0-9.][eE]/

function parse(text: string): unknown {
  try {
    return mayBeInexact.test(text) ? parseNumbers(text, exactNumber) : JSON.parse(text)
  } catch (error) {
    if (error instanceof RangeError)
      throw invalid('', 'contains a number that loses precision in JSON; send it as a string')
    throw invalid('', 'must be valid JSON')
  }
}

/** Reads a JSON body or a short form, depending on its type. */
export const readJsonOrForm = (request: Request): Promise<unknown> =>
  isJson(request.headers.get('content-type') ?? '') ? readJson(request) : readForm(request)

/** Reads a form. A body of any other type, which a script may send, is ignored. */
export const readAnyForm = (request: Request): Promise<Record<string, string>> | Record<string, string> =>
  request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')
    ? readForm(request)
    : {}

/** Reads the form of a page, which has few short fields. If a field is repeated, its last value counts. */
export async function readForm(request: Request, max = FORM_MAX): Promise<Record<string, string>> {
  return Object.fromEntries(await readFields(request, max))
}

/** Reads the fields of a form, including repeated ones. */
export async function readFields(request: Request, max = FORM_MAX): Promise<URLSearchParams> {
  const bytes = await readBytes(request, max)
  let fields = 1
  for (const byte of bytes) if (byte === AMPERSAND) fields++
  if (fields > FIELDS_MAX) throw invalid('', `must have at most ${FIELDS_MAX} fields`)
  return new URLSearchParams(decode(bytes))
}
