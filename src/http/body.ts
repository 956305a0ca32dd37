import { invalid, Refusal } from '../domain/errors.ts'
import { parseNumbers } from '../domain/lossless-json.ts'

export const BODY_MAX = 512 * 1024
const DEPTH_MAX = 32

/** Reads a body of at most `max` bytes, also when it has no Content-Length. */
export async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  const length = request.headers.get('content-length')
  if (Number(length ?? 0) > max) throw tooLarge(max)
  // The server takes no more than the declared length, and reading a stream takes longer.
  const isStream = length === null || request.headers.has('transfer-encoding')
  return isStream ? readStream(request, max) : new Uint8Array(await request.arrayBuffer())
}

async function readStream(request: Request, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > max) throw tooLarge(max)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = (max: number) =>
  new Refusal('body_too_large', `The request body must be at most ${max} bytes.`)

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('', 'must be valid UTF-8')
  }
}

export async function readJson(request: Request, max = BODY_MAX): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type !== null && !/^application\/([a-z0-9.-]+\+)?json\b/i.test(type)) {
    throw invalid('', 'must be JSON; send the header Content-Type: application/json')
  }
  const text = decode(await readBytes(request, max))
  if (text.trim() === '') throw invalid('', 'must have a JSON body')
  const value = parse(text)
  checkDepth(value, DEPTH_MAX)
  return value
}

/** Refuses numbers that JavaScript cannot represent exactly: they would be stored changed. */
function exactNumber(digits: string, value: number): number {
  if (!Number.isFinite(value) || normalize(digits) !== normalize(String(value)))
    throw new RangeError('inexact')
  return value
}

/** The same text for every spelling of a decimal: its digits without outer zeros, and the power of ten. */
function normalize(decimal: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:[.](\d+))?(?:[eE]([+-]?\d+))?$/.exec(decimal) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  if (trimmed === '') return '0'
  return `${trimmed}e${Number(exponent) - fraction.length + digits.length - trimmed.length}`
}

function parse(text: string): unknown {
  try {
    return parseNumbers(text, exactNumber)
  } catch (error) {
    if (error instanceof RangeError)
      throw invalid('', 'contains a number that loses precision in JSON; send it as a string')
    throw invalid('', 'must be valid JSON')
  }
}

function checkDepth(value: unknown, left: number): void {
  if (value === null || typeof value !== 'object') return
  if (left === 0) throw invalid('', `must be nested at most ${DEPTH_MAX} levels deep`)
  for (const part of Object.values(value)) checkDepth(part, left - 1)
}

/** Reads the form of a page. When a field is repeated, the last value counts. */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const text = decode(await readBytes(request, BODY_MAX))
  return Object.fromEntries(new URLSearchParams(text))
}
