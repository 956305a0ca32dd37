/** As much of an OpenAPI document as the tests look at. */
interface Media {
  schema: object
  example?: unknown
  examples?: Record<string, unknown>
}

interface Told {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: object[]
  'x-scope'?: string
  'x-live-key'?: boolean
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: { content: { 'application/json': Media } }
  responses: Record<string, { headers: object; 'x-codes'?: string[]; content: { 'application/json': Media } }>
}

export interface Document {
  openapi: string
  info: { version: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Told>>
  webhooks: Record<string, { post: Told }>
  components: { schemas: Record<string, object> }
}

export interface Documented {
  method: string
  path: string
  told: Told
}

export const operationsOf = ({ paths }: Document): Documented[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, told]) => ({ method: method.toUpperCase(), path, told })),
  )
