import { Column, is, Param, Placeholder } from 'drizzle-orm'
import type { SelectedFieldsOrdered } from 'drizzle-orm/sqlite-core/query-builders/select.types'

export type Values = Record<string, unknown>
export type Bind = (values: Values) => unknown
type Decode = ((value: unknown) => unknown) | null
export type Row = Record<string, unknown>

const plainValue = Column.prototype.mapToDriverValue

/** How one parameter of a query gets its value. */
export function binder(parameter: unknown): Bind {
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

function decoderOf(field: SelectedFieldsOrdered[number]['field']): Decode {
  if (!is(field, Column)) return null
  if (field.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null
  return value => (value === null ? null : field.mapFromDriverValue(value))
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
 * Makes objects of rows. Null for selections that only drizzle maps: of expressions, and of outer joins. The
 * function is compiled for its columns, which have names of ours: a loop over them takes four times as long.
 */
export function rowMapper(fields: SelectedFieldsOrdered): ((row: unknown[]) => Row) | null {
  if (fields.some(({ field, path }) => !is(field, Column) || path.length > 2)) return null
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
