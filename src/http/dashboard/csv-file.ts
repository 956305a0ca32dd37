import { pageHeaders } from '../pages/headers.ts'

/**
 * A file to save that is sent while its rows are read. A browser that stops loading stops the reading too.
 */
export function csvFileResponse(name: string, pieces: AsyncGenerator<string>): Response {
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
  return new Response(stream, {
    headers: {
      ...pageHeaders,
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
    },
  })
}
