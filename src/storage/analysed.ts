import { Column, type DriverValueDecoder, is, noopDecoder, Param, Placeholder } from 'drizzle-orm'
import type { SelectedFieldsOrdered } from 'drizzle-orm/sqlite-core/query-builders/select.types'

export type Values = Record<string, unknown>
type Bind = (values: Values) => unknown
type Decode = ((value: unknown) => unknown) | null
type Row = Record<string, unknown>
type Field = SelectedFieldsOrdered[number]['field']
type Decoder = DriverValueDecoder<unknown, unknown>

const plainValue = Column.prototype.mapToDriverValue

/** How one parameter of a query gets its value. */
function binder(parameter: unknown): Bind {
  const placeholder = is(parameter, Param) ? parameter.value : parameter
  if (!is(placeholder, Placeholder)) return () => parameter
  const { name } = placeholder
  const read = (values: Values): unknown => {
    const value = values[name]
    if (value === undefined && !(name in values)) throw new Error(`The query has no value for ${name}`)
    return value
  }
  if (!is(parameter, Param) || parameter.encoder.mapToDriverValue === plainValue) return read
  return values => parameter.encoder.mapToDriverValue(read(values))
}

/** Drizzle keeps how an expression is decoded, and does not declare it. */
const sourceOf = (field: Field): Decoder =>
  is(field, Column) ? field : (field.getSQL() as unknown as { decoder: Decoder }).decoder

function decoderOf(field: Field): Decode {
  const source = sourceOf(field)
  const plain = [Column.prototype.mapFromDriverValue, noopDecoder.mapFromDriverValue]
  if (plain.includes(source.mapFromDriverValue)) return null
  return value => (value === null ? null : source.mapFromDriverValue(value))
}

interface MappedColumn {
  group: string | null
  name: string
  decode: Decode
  index: number
}

const property = ({ name, decode, index }: MappedColumn): string =>
  `${JSON.stringify(name)}: ${decode ? `decoders[${index}](row[${index}])` : `row[${index}]`}`

/**
 * Makes objects of rows. A column or an expression has a name, or the name of a group and one inside it.
 * Outer joins cannot select groups: one that a row lacks would be an object of nulls. The function is
 * compiled for its columns, which have names of ours: a loop over them takes four times as long.
 */
function rowMapper(fields: SelectedFieldsOrdered): (row: unknown[]) => Row {
  if (fields.some(({ path }) => path.length > 2)) throw new Error('A selection of groups of groups is a bug')
  const columns = fields.map(({ path, field }, index) => ({
    group: path.length === 2 ? (path[0] ?? null) : null,
    name: path.at(-1) ?? '',
    decode: decoderOf(field),
    index,
  }))
  const properties = [...Map.groupBy(columns, ({ group }) => group)].map(([group, some]) => {
    const text = some.map(property).join(', ')
    return group === null ? text : `${JSON.stringify(group)}: { ${text} }`
  })
  const make = new Function('decoders', `return row => ({ ${properties.join(', ')} })`)
  return make(columns.map(({ decode }) => decode))
}

/**
 * The parameters and columns of a query, analysed once. Drizzle does so for every run, which takes longer
 * than the query itself.
 */
export class Analysis {
  readonly #binders: Bind[]
  readonly #map: ((row: unknown[]) => Row) | null

  constructor({ params }: { params: unknown[] }, selected: SelectedFieldsOrdered | undefined) {
    this.#binders = params.map(binder)
    this.#map = selected ? rowMapper(selected) : null
  }

  /** The values of the parameters, in their order. */
  bind(values: Values = {}): unknown[] {
    return this.#binders.map(bind => bind(values))
  }

  /** The rows as drizzle's types say that they are. */
  objectsOf(rows: unknown[][]): unknown[] {
    return this.#map ? rows.map(this.#map) : rows
  }
}
