import type { Json } from '../../../domain/metadata.ts'
import { NetworkError } from '../../port.ts'
import type { HttpEndpoint } from '../../rpc/http.ts'
import { malformedResponse } from '../../rpc/json.ts'
import { parseAmounts } from '../amounts.ts'

/** The answer is longer than is read. */
export class TooLong extends NetworkError {
  constructor() {
    super('answers with more than is read')
  }
}

/** What a REST API has under a path; null for what is not there. Throws NetworkFault. */
export async function getText(upstream: HttpEndpoint, path: string): Promise<string | null> {
  const { status, text } = await upstream.get(path)
  if (text === null) throw new TooLong()
  if (status === 200) return text
  // Both APIs answer 400 for a block or a path that they do not have; Esplora for an old block 404.
  if (status === 404 || status === 400) return null
  throw new NetworkError(`answers with status ${status}`)
}

export async function getJson(upstream: HttpEndpoint, path: string): Promise<Json | null> {
  const text = await getText(upstream, path)
  if (text === null) return null
  try {
    return parseAmounts(text)
  } catch {
    throw malformedResponse('JSON')
  }
}
