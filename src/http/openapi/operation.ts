import type { TSchema } from '@sinclair/typebox'
import { Success } from '../schema/envelope.ts'
import { IdempotencyKey } from '../schema/fields.ts'
import type { Access, Operation } from './describe.ts'
import { failuresOf, headersOf } from './failures.ts'
import { type Schema, type Schemas, schemaOf } from './schemas.ts'

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  examples?: unknown[]
  schema: Schema
}

export interface SwaggerOperation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  'x-operation': Operation
}

/** Converts the operation to OpenAPI 3.1. */
export function operationOf(collected: SwaggerOperation, schemas: Schemas): object {
  const { operationId, 'x-operation': operation } = collected
  const { access } = operation
  const body = collected.requestBody?.content['application/json']?.schema
  const needsKey = typeof access === 'object'
  return {
    operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, describeAccess(operation)].filter(Boolean).join('\n\n'),
    security: [
      ...(needsKey ? [{ apiKey: access.scope ? [access.scope] : [] }] : []),
      ...(operation.login ? [{ login: [] }] : []),
    ],
    ...(needsKey && access.scope && { 'x-scope': access.scope }),
    ...(needsKey && access.live && { 'x-live-key': true }),
    ...(needsKey && access.test && { 'x-test-key': true }),
    parameters: parametersOf(collected, operation, schemas),
    ...(body && { requestBody: requestOf(operationId, schemas.of(body), schemas) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.responses).map(([status, [description, data]]) => [
          status,
          { description, headers: headersOf(operation), content: contentOf(operationId, data, schemas) },
        ]),
      ),
      ...failuresOf(operation, body !== undefined, schemas),
    },
  }
}

function describeAccess({ access, login }: Operation): string {
  const ofKey = describeKey(access)
  if (!login) return ofKey
  const sender = `a person with the role ${login} or higher`
  return `${ofKey} The login of ${sender} is accepted too, from pages of the dashboard’s origin.`
}

function describeKey(access: Access): string {
  if (access === 'public') return 'No API key is needed.'
  if (access === 'rate-limited') return 'No API key is needed. Requests are rate limited by client address.'
  const key = access.live ? 'a live API key' : access.test ? 'a test API key' : 'an API key'
  return access.scope
    ? `Requires ${key} with the scope \`${access.scope}\`.`
    : `Requires ${key} with any scope.`
}

function parametersOf(
  { parameters = [] }: SwaggerOperation,
  operation: Operation,
  schemas: Schemas,
): object[] {
  const listed = parameters.map(({ name, in: location, required, description, examples, schema }) => ({
    name,
    in: location,
    required,
    ...(description && { description }),
    schema: schemas.of({ ...schema, ...(examples && { examples }) }),
  }))
  if (!operation.idempotencyKey) return listed
  const header = {
    name: 'Idempotency-Key',
    in: 'header',
    required: operation.idempotencyKey === 'required',
    description:
      'Makes a retry safe: the same key with the same body never repeats the action. Only a successful ' +
      'request uses up the key.',
    schema: schemas.of(schemaOf(IdempotencyKey)),
  }
  return [...listed, header]
}

function requestOf(operationId: string, schema: Schema, schemas: Schemas): object {
  const example = schemas.exampleOf(schema, operationId)
  return { required: true, content: { 'application/json': { schema, example } } }
}

function contentOf(operationId: string, data: TSchema, schemas: Schemas): object {
  const schema = schemas.of(schemaOf(Success(data)))
  return { 'application/json': { schema, example: schemas.exampleOf(schema, operationId) } }
}
