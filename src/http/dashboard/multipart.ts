import { type Static, Type } from '@sinclair/typebox'
import { invalid, Refusal } from '../../domain/errors.ts'
import { readChunks } from '../body.ts'
import { FormFields } from './fields.ts'
import { boundaryOf, FormParts, PARTS_MAX } from './form-parts.ts'

/**
 * Max bytes of an upload. Pages crop an image before they send it, but a browser without scripts sends the
 * whole file. Up to this size, an image that is too large is read to its end, though not stored, so that the
 * form can be shown again with its other fields.
 */
const UPLOAD_MAX = 32 * 1024 * 1024

/**
 * Max bytes of a file that are kept: more than any image may have. The rest of a larger file is not kept,
 * because it is refused anyway.
 */
export const FILE_MAX = 1024 * 1024

/** Max bytes of the headers of one part, such as the name of its file. */
const HEADERS_MAX = 1024
/** Max characters of the texts of a form. */
const TEXT_MAX = 64 * 1024
/** Max bytes in UTF-8 of a character, as JavaScript counts characters. */
const CHARACTER_BYTES = 3

const Bytes = Type.Unsafe<Uint8Array | null>(Type.Any())

/** A form with a file, as its handler gets it. */
export const UploadForm = Type.Object({
  fields: FormFields,
  /** all values of each name, for boxes that share a name */
  lists: Type.Record(Type.String({ maxLength: 100 }), Type.Array(Type.String({ maxLength: 4000 }))),
  file: Bytes,
})
type UploadForm = Static<typeof UploadForm>

/** Max forms of a person that wait while another one arrives, such as a form that is sent again. */
const WAITING_MAX = 2
const RETRY_SECONDS = 5

/** Runs the work of each person one piece after another. */
class Turns {
  readonly #lines = new Map<string, Promise<unknown>[]>()

  /** Throws rate_limited if too many pieces of the same person's work are waiting. */
  async take<T>(person: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(person) ?? []
    if (line.length > WAITING_MAX)
      throw new Refusal('rate_limited', undefined, { retryAfterSeconds: RETRY_SECONDS })
    const turn = Promise.allSettled(line.slice(-1)).then(work)
    line.push(turn)
    this.#lines.set(person, line)
    try {
      return await turn
    } finally {
      line.splice(line.indexOf(turn), 1)
      if (line.length === 0) this.#lines.delete(person)
    }
  }
}

const turns = new Turns()

/**
 * Returns a function that reads a form that may have one file, in the field "file", and texts of up to
 * `textMax` characters.
 */
export const uploadOf =
  (textMax: number) =>
  (request: Request, personId: string): Promise<UploadForm> => {
    const boundary = boundaryOf(request.headers.get('content-type') ?? '')
    if (boundary === null) throw invalid('', 'must be a form of the type multipart/form-data')
    return turns.take(personId, () => readUploadOf(request, boundary, textMax))
  }

export const readUpload = uploadOf(TEXT_MAX)

async function readUploadOf(request: Request, boundary: string, textMax: number): Promise<UploadForm> {
  const textBytes = CHARACTER_BYTES * textMax
  const part = Math.max(FILE_MAX, textBytes) + HEADERS_MAX
  const all = FILE_MAX + textBytes + HEADERS_MAX * PARTS_MAX
  const parts = new FormParts(boundary, { part, all })
  for await (const chunk of readChunks(request, UPLOAD_MAX)) parts.add(chunk)
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  const form = await new Response(parts.end(), { headers }).formData().catch(() => {
    throw invalid('', 'must be a form')
  })
  return valuesOf(form, textMax)
}

/** The values of a form. An empty file counts as missing. */
async function valuesOf(form: FormData, textMax: number): Promise<UploadForm> {
  const lists: Record<string, string[]> = {}
  let file: Uint8Array | null = null
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      if (value.length > textMax) throw invalid(name, `must have at most ${textMax} characters`)
      if (Object.hasOwn(lists, name)) lists[name]!.push(value)
      else lists[name] = [value]
    } else if (name === 'file' && value.size > 0) {
      file = new Uint8Array(await value.slice(0, FILE_MAX).arrayBuffer())
    }
  }
  const fields = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.at(-1)!]))
  return { fields, lists, file }
}
