import type { TSchema } from '@sinclair/typebox'
import { DOCUMENTED } from '../schema/types.ts'

/** A JSON Schema in the OpenAPI document. */
export interface Schema {
  [keyword: string]: unknown
  title?: string
  $ref?: string
  type?: unknown
  const?: unknown
  enum?: unknown[]
  format?: string
  examples?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

/** A TypeBox schema without the symbols that only its validator uses. */
export const schemaOf = (schema: TSchema): Schema => JSON.parse(JSON.stringify(schema))

/** Formats of our own. The document leaves them out, because the description explains them. */
const ownFormats = ['method-key']
const PREFIX = '#/components/schemas/'

/** Converts schemas to OpenAPI 3.1. A schema with a title is stored once and referenced by that name. */
export class Schemas {
  readonly named: Record<string, Schema> = {}
  readonly examples: Record<string, object> = {}

  exampleNamed(name: string, example: object): object {
    this.examples[name] = example
    return { $ref: `#/components/examples/${name}` }
  }

  of({ title, ...rest }: Schema): Schema {
    const plain = this.#plain(rest)
    if (title === undefined) return plain
    const known = this.named[title]
    if (known && !Bun.deepEquals(known, plain)) throw new Error(`Two schemas have the name ${title}.`)
    this.named[title] = plain
    return { $ref: PREFIX + title }
  }

  #plain({ [DOCUMENTED]: documented, ...schema }: Schema): Schema {
    const { anyOf, allOf, items, properties, format, ...plain }: Schema = { ...schema, ...(documented ?? {}) }
    if (anyOf && properties) {
      const { type: _, required: __, additionalProperties: ___, ...about } = plain
      return { ...about, anyOf: anyOf.map(part => this.of(part)) }
    }
    return {
      ...plain,
      ...(format !== undefined && !ownFormats.includes(format) && { format }),
      ...(items && { items: this.of(items) }),
      ...(allOf && { allOf: allOf.map(part => this.of(part)) }),
      ...(properties && Object.keys(properties).length > 0 && { properties: this.#fields(properties) }),
      ...(anyOf && unionOf(anyOf.map(part => this.of(part)))),
    }
  }

  #fields = (properties: Record<string, Schema>): Record<string, Schema> =>
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.of(schema)]))

  /**
   * A value that the schema allows, made of the examples of its parts. `at` is the name of the value in
   * errors.
   */
  exampleOf(schema: Schema, at: string): unknown {
    if (schema.$ref) return this.exampleOf(this.named[schema.$ref.slice(PREFIX.length)] ?? {}, at)
    if (schema.examples) return schema.examples[0]
    if ('const' in schema) return schema.const
    if (schema.enum) return schema.enum[0]
    if (schema.anyOf) return this.exampleOf(schema.anyOf[0] ?? {}, at)
    if (schema.items) return [this.exampleOf(schema.items, `${at}/0`)]
    if (!schema.properties) {
      const text = JSON.stringify(schema)
      throw new Error(`Give the schema at ${at}, or one around it, an example: ${text}`)
    }
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [
        name,
        this.exampleOf(property, `${at}/${name}`),
      ]),
    )
  }
}

/**
 * The schema of a union. A union of constants becomes an enum, and a union with null gets null as a second
 * type.
 */
function unionOf(parts: Schema[]): Schema {
  if (parts.every(part => typeof part.const === 'string')) {
    return { type: 'string', enum: parts.map(part => part.const) }
  }
  const [first, second, more] = parts
  if (more || second?.type !== 'null' || typeof first?.type !== 'string') return { anyOf: parts }
  return { ...first, type: [first.type, 'null'], ...(first.enum && { enum: [...first.enum, null] }) }
}
