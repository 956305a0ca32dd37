import { customType, integer, text } from 'drizzle-orm/sqlite-core'

/* Column types that every SQL database has. Column names are the field names in snake case. */

export const string = <T extends string = string>() => text().$type<T>()
export const count = () => integer()
/** A time in milliseconds since 1970 UTC. */
export const instant = () => integer()
export const flag = () => integer({ mode: 'boolean' })
/** A nullable flag. Prepared statements would store null as false in a `flag`. */
export const optionalFlag = customType<{ data: boolean; driverData: number | null }>({
  dataType: () => 'integer',
  toDriver: (value: boolean | null) => (value === null ? null : Number(value)),
  fromDriver: value => Number(value) === 1,
})
export const json = <T>() => text({ mode: 'json' }).$type<T>()
/** JSON that may be missing. Prepared statements would store null as the text "null" in a `json`. */
export const optionalJson = <T>() =>
  customType<{ data: T | null; driverData: string | null }>({
    dataType: () => 'text',
    toDriver: value => (value === null ? null : JSON.stringify(value)),
    fromDriver: text => (text === null ? null : (JSON.parse(text) as T)),
  })()
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'blob' })
/** An integer of any size, stored as a decimal string. */
export const units = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'text',
  toDriver: value => value.toString(),
  fromDriver: BigInt,
})
export const optionalUnits = customType<{ data: bigint | null; driverData: string | null }>({
  dataType: () => 'text',
  toDriver: value => value?.toString() ?? null,
  fromDriver: value => (value === null ? null : BigInt(value)),
})

export const timestamps = () => ({ createdAt: instant().notNull(), updatedAt: instant().notNull() })
