import { type Static, Type } from '@sinclair/typebox'
import { invalid } from '../../domain/errors.ts'
import { readBytes } from '../body.ts'
import { FormFields } from './form-fields.ts'

/**
 * A page crops an image before it is sent, but a browser without scripts sends it as it is, such as a photo.
 * A form beyond this cannot be shown again with what was entered.
 */
const UPLOAD_MAX = 32 * 1024 * 1024

/** More than any image may have: the rest of a file that is refused anyway is not read. */
export const FILE_MAX = 1024 * 1024

const Bytes = Type.Unsafe<Uint8Array | null>(Type.Any())

/** A form with files, as its handler gets it. */
export const UploadForm = Type.Object({
  fields: FormFields,
  /** the values of each name, for boxes that share one */
  lists: Type.Record(Type.String({ maxLength: 100 }), Type.Array(Type.String({ maxLength: 4000 }))),
  file: Bytes,
})
type UploadForm = Static<typeof UploadForm>

/** Reads a form that may have one file, of the field "file". An empty file counts as missing. */
export async function readUpload(request: Request): Promise<UploadForm> {
  const type = request.headers.get('content-type') ?? ''
  const bytes = await readBytes(request, UPLOAD_MAX)
  const body = new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } })
  let form: FormData
  try {
    form = await body.formData()
  } catch {
    throw invalid('', 'must be a form')
  }
  const lists: Record<string, string[]> = {}
  let file: Uint8Array | null = null
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      if (Object.hasOwn(lists, name)) lists[name]!.push(value)
      else lists[name] = [value]
    } else if (name === 'file' && value.size > 0) {
      file = new Uint8Array(await value.slice(0, FILE_MAX).arrayBuffer())
    }
  }
  const fields = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.at(-1)!]))
  return { fields, lists, file }
}
