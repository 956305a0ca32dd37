import { Column, type DriverValueDecoder, is, noopDecoder, Param, Placeholder } from 'drizzle-orm'
import type { SelectedFieldsOrdered } from 'drizzle-orm/sqlite-core/query-builders/select.types'

export type Values = Record<string, unknown>
type Bind = (values: Values) => unknown
type Decode = ((value: unknown) => unknown) | null
type Row = Record<string, unknown>
type Field = SelectedFieldsOrdered[number]['field']
type Decoder = DriverValueDecoder<unknown, unknown>

const plainValue = Column.prototype.mapToDriverValue

/** Returns a function that takes a parameter's value from the named values of a run. */
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

/** Returns the decoder of a field. Drizzle stores that of an expression, but does not declare it. */
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

type Decoders = Decode[]
type RowMapper = (row: unknown[]) => Row

/** The generated functions, by their code. All connections share them, since they run the same queries. */
const generated = new Map<string, (decoders: Decoders) => RowMapper>()

function generate(code: string): (decoders: Decoders) => RowMapper {
  const known = generated.get(code)
  if (known) return known
  const made = new Function('decoders', code) as (decoders: Decoders) => RowMapper
  generated.set(code, made)
  return made
}

/**
 * Makes a function that turns a row into an object. A column or expression has a name, or a group's name and
 * a name inside it. A left join cannot select the columns of a group: a missing row would become an object of
 * nulls. The function is generated, because a loop over the columns takes four times as long. Only names of
 * columns in our own schema become code.
 */
function rowMapper(fields: SelectedFieldsOrdered): RowMapper {
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
  const make = generate(`return row => ({ ${properties.join(', ')} })`)
  return make(columns.map(({ decode }) => decode))
}

/**
 * The parameters and columns of a query, analysed once: drizzle analyses them in every run, which takes
 * longer than the query itself.
 */
export class Analysis {
  readonly #binders: Bind[]
  readonly #map: RowMapper | null

  constructor({ params }: { params: unknown[] }, selected: SelectedFieldsOrdered | undefined) {
    this.#binders = params.map(binder)
    this.#map = selected ? rowMapper(selected) : null
  }

  /** Returns the values of the query's parameters, by position. */
  bind(values: Values = {}): unknown[] {
    return this.#binders.map(bind => bind(values))
  }

  /** Turns rows into the objects that drizzle's types declare. */
  objectsOf(rows: unknown[][]): unknown[] {
    return this.#map ? rows.map(this.#map) : rows
  }
}
