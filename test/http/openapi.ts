/** The parts of an OpenAPI document that the tests use. */
interface Media {
  schema: object
  example?: unknown
  examples?: Record<string, unknown>
}

interface DocumentedOperation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: object[]
  'x-scope'?: string
  'x-live-key'?: boolean
  'x-test-key'?: boolean
  parameters: { name: string; in: string; required: boolean; description?: string }[]
  requestBody?: { content: { 'application/json': Media } }
  responses: Record<string, DocumentedResponse>
}

interface DocumentedResponse {
  headers: Record<string, { $ref: string }>
  'x-codes'?: string[]
  content: { 'application/json': Media }
}

export interface Document {
  openapi: string
  info: { version: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  webhooks: Record<string, { post: DocumentedOperation }>
  components: { schemas: Record<string, object>; headers: Record<string, { required?: boolean }> }
}

export interface DocumentedRoute {
  method: string
  path: string
  operation: DocumentedOperation
}

export const operationsOf = ({ paths }: Document): DocumentedRoute[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
