import { pageHeaders } from '../pages/headers.ts'

type Pieces = AsyncGenerator<string | Uint8Array>

/**
 * A response with a file to save, which is sent while its rows are read. If the browser stops loading, the
 * reading stops too.
 */
export function fileResponse(name: string, type: string, pieces: Pieces): Response {
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
  return new Response(stream, {
    headers: {
      ...pageHeaders,
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
    },
  })
}

export const csvFileResponse = (name: string, pieces: Pieces): Response =>
  fileResponse(`${name}.csv`, 'text/csv; charset=utf-8', pieces)
