import { invalid, Refusal } from '../domain/errors.ts'
import { parseNumbers } from '../domain/lossless-json.ts'

export const BODY_MAX = 512 * 1024
const DEPTH_MAX = 32

/** Reads a body of at most so many bytes, also one that does not tell its length. */
async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  const told = Number(request.headers.get('content-length') ?? 0)
  if (told > max) throw tooLarge(max)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.byteLength
    if (size > max) throw tooLarge(max)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const tooLarge = (max: number) =>
  new Refusal('body_too_large', `The request body must be at most ${max} bytes.`)

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('', 'must be UTF-8')
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

/** Numbers that JavaScript cannot hold are refused: they would come back changed. */
function exactNumber(digits: string, value: number): number {
  if (!Number.isFinite(value) || normal(digits) !== normal(String(value))) throw new RangeError('inexact')
  return value
}

/** One spelling for each decimal: its digits without zeros around them, and the power of ten. */
function normal(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:[.](\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  return kept === '' ? '0' : `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}

function parse(text: string): unknown {
  try {
    return parseNumbers(text, exactNumber)
  } catch (error) {
    if (error instanceof RangeError)
      throw invalid('', 'must hold no number that a double cannot hold exactly')
    throw invalid('', 'must be valid JSON')
  }
}

function checkDepth(value: unknown, left: number): void {
  if (value === null || typeof value !== 'object') return
  if (left === 0) throw invalid('', `must nest to at most ${DEPTH_MAX} levels`)
  for (const part of Object.values(value)) checkDepth(part, left - 1)
}

/** Reads a form of a page; the last of several fields of one name counts. */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const text = decode(await readBytes(request, BODY_MAX))
  return Object.fromEntries(new URLSearchParams(text))
}
