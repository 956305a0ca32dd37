import { customType, integer, text } from 'drizzle-orm/sqlite-core'

/*
 * The kinds of columns that the tables are made of, which every SQL database has. The name of a column is the
 * name of the field in snake case.
 */

export const string = <T extends string = string>() => text().$type<T>()
export const count = () => integer()
/** Milliseconds since 1970 UTC. */
export const instant = () => integer()
export const flag = () => integer({ mode: 'boolean' })
/** A flag that may be null. Prepared statements would store that of `flag` as false. */
export const optionalFlag = customType<{ data: boolean; driverData: number | null }>({
  dataType: () => 'integer',
  toDriver: (value: boolean | null) => (value === null ? null : Number(value)),
  fromDriver: value => Number(value) === 1,
})
export const json = <T>() => text({ mode: 'json' }).$type<T>()
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'blob' })
/** An integer of any size, stored as a decimal string. */
export const units = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'text',
  toDriver: value => value.toString(),
  fromDriver: BigInt,
})
/** The same for a column that may hold nothing. */
export const optionalUnits = customType<{ data: bigint | null; driverData: string | null }>({
  dataType: () => 'text',
  toDriver: value => value?.toString() ?? null,
  fromDriver: value => (value === null ? null : BigInt(value)),
})
