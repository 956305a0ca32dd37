import { asserted } from '../src/domain/errors.ts'

/** The part of JSON Schema that the API's document uses. */
interface Schema {
  $ref?: string
  anyOf?: Schema[]
  const?: string | boolean
  enum?: (string | boolean)[]
  type?: string | string[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
}

interface Content {
  content?: { 'application/json'?: { schema: Schema } }
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

interface Operation {
  operationId: string
  summary: string
  parameters: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

interface Document {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: { requestBody: Content } }>
  components: { schemas: Record<string, Schema> }
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

const union = (types: string[]): string => [...new Set(types)].join(' | ')

const comment = (description: string | undefined, indent: string): string =>
  description === undefined ? '' : `${indent}/** ${description.replaceAll(/\s*\n\s*/g, ' ')} */\n`

/** The type of a schema, as TypeScript. */
function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref) return asserted(schema.$ref.split('/').at(-1), 'a reference names a schema')
  if (schema.anyOf) return union(schema.anyOf.map(one => typeOf(one, indent)))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map(value => JSON.stringify(value)))
  if (schema.type === 'array') return `Array<${typeOf(schema.items ?? {}, indent)}>`
  if (schema.type === 'object') return objectOf(schema, indent)
  const types = [schema.type ?? []].flat()
  return types.length === 0 ? 'unknown' : union(types.map(type => plainTypes[type] ?? 'unknown'))
}

function objectOf({ properties, required = [] }: Schema, indent: string): string {
  if (!properties) return 'Record<string, unknown>'
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    const optional = required.includes(name) ? '' : '?'
    return `${comment(schema.description, inner)}${inner}${key}${optional}: ${typeOf(schema, inner)}\n`
  })
  return fields.length === 0 ? 'Record<never, never>' : `{\n${fields.join('')}${indent}}`
}

const schemaIn = ({ content }: Content): Schema | undefined => content?.['application/json']?.schema

/** The data of an operation's successful responses. */
function dataOf({ responses }: Operation): string {
  const schemas = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') ? (schemaIn(response)?.properties?.data ?? []) : [],
  )
  return union(schemas.map(schema => typeOf(schema, '    ')))
}

const given = (parameters: readonly Parameter[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description && { description }) },
    ]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
})

function operationOf(operation: Operation): string {
  const { operationId, summary, parameters, requestBody } = operation
  const of = (place: Parameter['in']) => parameters.filter(one => one.in === place)
  const body = requestBody ? typeOf(schemaIn(requestBody) ?? {}, '    ') : 'undefined'
  return (
    `${comment(summary, '  ')}  ${operationId}: {\n` +
    `    path: ${typeOf(given(of('path')), '    ')}\n` +
    `    query: ${typeOf(given(of('query')), '    ')}\n` +
    `    body: ${body}\n` +
    `    data: ${dataOf(operation)}\n` +
    '  }\n'
  )
}

/** The types of the API and of its events, and its routes, as TypeScript. */
export function typescriptOf(document: object): string {
  const { info, paths, webhooks, components } = document as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    const type = typeOf(schema)
    return `${comment(schema.description, '')}export type ${name} = ${type}\n`
  })
  const routes = operations.map(({ path, method, operation }) => {
    const hasKey = operation.parameters.some(({ name }) => name === 'Idempotency-Key')
    return `  ${operation.operationId}: ['${method}', '${path}', ${hasKey}],\n`
  })
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const schema = asserted(schemaIn(post.requestBody), 'an event has a schema')
    return `  | (${typeOf(schema)} & { type: '${type}' })\n`
  })
  return [
    `// Made from the API of Florin ${info.version} by \`npm run clients\`. Do not edit.\n`,
    ...schemas,
    `/** The body of a webhook. Later versions may add types: ignore those that you do not know. */\n` +
      `export type FlorinEvent =\n${events.join('')}`,
    `/** What each operation takes and returns. */\n` +
      `export interface Operations {\n${operations.map(({ operation }) => operationOf(operation)).join('')}}\n`,
    `/** The method and path of each operation, and whether it takes an Idempotency-Key. */\n` +
      `export const routes = {\n${routes.join('')}} as const satisfies Record<keyof Operations, readonly [string, string, boolean]>\n`,
  ].join('\n')
}
