import type { Fetch } from '../networks/port.ts'

/**
 * A `fetch` that decompresses responses while they are read. Bun's own decompression ends up in memory as a
 * whole: 300 KB of Brotli can become a gigabyte before any limit of the reader applies.
 */
export const boundedFetch: Fetch = async (url, init = {}) => {
  const headers = new Headers(init.headers)
  headers.set('accept-encoding', 'gzip')
  const response = await fetch(url, { ...init, headers, decompress: false })
  const coding = response.headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (response.body === null || coding === 'identity') return response
  if (coding !== 'gzip' && coding !== 'x-gzip') {
    await response.body.cancel()
    throw new TypeError(`the response has an encoding that was not asked for: ${coding}`)
  }
  const { status, statusText } = response
  const plain = new Headers(response.headers)
  plain.delete('content-encoding')
  plain.delete('content-length')
  return new Response(response.body.pipeThrough(new DecompressionStream('gzip')), {
    status,
    statusText,
    headers: plain,
  })
}
