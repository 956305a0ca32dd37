import type { Json } from '../../../domain/metadata.ts'
import { NetworkError, StatusError } from '../../port.ts'
import type { HttpEndpoint } from '../../rpc/http.ts'
import { malformedResponse } from '../../rpc/json.ts'
import { parseAmounts } from '../amounts.ts'

/** Thrown for a response that is longer than the limit. */
export class TooLong extends NetworkError {
  constructor() {
    super('returned a response that is too long')
  }
}

/** Reads the resource at a path of a REST API; null if it does not exist. Throws NetworkError. */
export async function getText(endpoint: HttpEndpoint, path: string): Promise<string | null> {
  const { status, text } = await endpoint.get(path)
  if (text === null) throw new TooLong()
  if (status === 200) return text
  // Esplora and Blockbook answer 400 for a missing block or path, Esplora also 404 for a replaced block.
  if (status === 404 || status === 400) return null
  throw new StatusError(`returned status ${status}`, status)
}

export async function getJson(endpoint: HttpEndpoint, path: string): Promise<Json | null> {
  const text = await getText(endpoint, path)
  if (text === null) return null
  try {
    return parseAmounts(text)
  } catch {
    throw malformedResponse('JSON')
  }
}
