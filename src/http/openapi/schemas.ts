import type { TSchema } from '@sinclair/typebox'

/** A JSON Schema as it stands in a document. */
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

/** A shape without what only its validator knows. */
export const schemaOf = (shape: TSchema): Schema => JSON.parse(JSON.stringify(shape))

/** Formats that JSON Schema does not know; what they mean stands in the description. */
const houseFormats = ['method-key']
const PREFIX = '#/components/schemas/'

/** Schemas in the words of OpenAPI 3.1. One that has a title stands under this name, and is referred to. */
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

  #plain({ anyOf, allOf, items, properties, format, ...rest }: Schema): Schema {
    const { 'x-default': fallback, ...plain } = rest
    return {
      ...plain,
      ...(fallback !== undefined && { default: fallback }),
      ...(format !== undefined && !houseFormats.includes(format) && { format }),
      ...(items && { items: this.of(items) }),
      ...(allOf && { allOf: allOf.map(part => this.of(part)) }),
      ...(properties && Object.keys(properties).length > 0 && { properties: this.#fields(properties) }),
      ...(anyOf && choice(anyOf.map(part => this.of(part)))),
    }
  }

  #fields = (properties: Record<string, Schema>): Record<string, Schema> =>
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.of(schema)]))

  /** A value that the schema allows: the examples of its parts, put together. */
  exampleOf(schema: Schema): unknown {
    if (schema.$ref) return this.exampleOf(this.named[schema.$ref.slice(PREFIX.length)] ?? {})
    if (schema.examples) return schema.examples[0]
    if ('const' in schema) return schema.const
    if (schema.enum) return schema.enum[0]
    if (schema.anyOf) return this.exampleOf(schema.anyOf[0] ?? {})
    if (schema.items) return [this.exampleOf(schema.items)]
    if (!schema.properties) throw new Error(`A schema has no example: ${JSON.stringify(schema)}`)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => [name, this.exampleOf(member)]),
    )
  }
}

/** Constants are an enumeration, and null is one more type. */
function choice(parts: Schema[]): Schema {
  if (parts.every(part => typeof part.const === 'string')) {
    return { type: 'string', enum: parts.map(part => part.const) }
  }
  const [first, second, more] = parts
  if (more || second?.type !== 'null' || typeof first?.type !== 'string') return { anyOf: parts }
  return { ...first, type: [first.type, 'null'], ...(first.enum && { enum: [...first.enum, null] }) }
}
