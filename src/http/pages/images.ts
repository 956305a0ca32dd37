import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { getImage } from '../../operations/products/read-image.ts'

/** Uploaded images, for everybody. An address changes with its content, so that it may be kept for ever. */
export const images = (context: Context) =>
  new Elysia().get('/images/:imageId', async ({ params, request }) => {
    const { id, type, bytes } = await getImage(context, params.imageId)
    const etag = `"${id}"`
    const headers = {
      etag,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    }
    if (isKnown(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers })
    return new Response(new Uint8Array(bytes), { headers: { ...headers, 'content-type': type } })
  })

/** Whether the browser has it already: its list of tags names this one, be it weakly, or any. */
const isKnown = (tags: string | null, etag: string): boolean =>
  (tags ?? '').split(',').some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
