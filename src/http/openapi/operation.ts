import type { TSchema } from '@sinclair/typebox'
import { Success } from '../schema/envelope.ts'
import { IdempotencyKey } from '../schema/fields.ts'
import type { Operation } from './describe.ts'
import { failuresOf, requestIdHeader } from './failures.ts'
import { type Schema, type Schemas, schemaOf } from './schemas.ts'

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  examples?: unknown[]
  schema: Schema
}

/** An operation as @elysiajs/swagger tells it. */
export interface Collected {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  'x-operation': Operation
}

/** The operation as OpenAPI 3.1 wants it. */
export function operationOf(collected: Collected, schemas: Schemas): object {
  const { operationId, 'x-operation': told } = collected
  const { needs } = told
  const body = collected.requestBody?.content['application/json']?.schema
  const isKeyed = needs !== null && needs !== 'limited'
  return {
    operationId,
    tags: [told.tag],
    summary: told.summary,
    description: [told.description, needsInWords(needs)].filter(Boolean).join('\n\n'),
    security: isKeyed ? [{ apiKey: needs.scope ? [needs.scope] : [] }] : [],
    ...(isKeyed && needs.scope && { 'x-scope': needs.scope }),
    ...(isKeyed && needs.live && { 'x-live-key': true }),
    parameters: parametersOf(collected, told, schemas),
    ...(body && { requestBody: requestOf(schemas.of(body), schemas) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(told.answers).map(([status, [sentence, data]]) => [
          status,
          answerOf(sentence, data, schemas),
        ]),
      ),
      ...failuresOf(told, body !== undefined, schemas),
    },
  }
}

function needsInWords(needs: Operation['needs']): string {
  if (needs === null) return 'Anybody may ask.'
  if (needs === 'limited') return 'Anybody may ask; requests are limited by client address.'
  const key = needs.live ? 'a live API key' : 'an API key'
  return needs.scope ? `Needs ${key} with the scope \`${needs.scope}\`.` : `Needs ${key} of any scope.`
}

function parametersOf({ parameters = [] }: Collected, told: Operation, schemas: Schemas): object[] {
  const plain = parameters.map(({ name, in: place, required, description, examples, schema }) => ({
    name,
    in: place,
    required,
    ...(description && { description }),
    schema: schemas.of({ ...schema, ...(examples && { examples }) }),
  }))
  if (!told.idempotencyKey) return plain
  const header = {
    name: 'Idempotency-Key',
    in: 'header',
    required: told.idempotencyKey === 'required',
    description:
      'Names one intent: the same key and body never do a thing twice. It is spent by success only.',
    schema: schemas.of(schemaOf(IdempotencyKey)),
  }
  return [...plain, header]
}

function requestOf(schema: Schema, schemas: Schemas): object {
  return { required: true, content: { 'application/json': { schema, example: schemas.exampleOf(schema) } } }
}

function answerOf(description: string, data: TSchema, schemas: Schemas): object {
  const schema = schemas.of(schemaOf(Success(data)))
  return {
    description,
    headers: requestIdHeader,
    content: { 'application/json': { schema, example: schemas.exampleOf(schema) } },
  }
}
