import { customType, integer, text } from 'drizzle-orm/sqlite-core'

/**
 * The column kit: the few kinds of column that every SQL database can hold. Names follow the field, in snake
 * case.
 */
export const string = <T extends string = string>() => text().$type<T>()
export const count = () => integer()
/** Milliseconds since 1970 UTC. */
export const instant = () => integer()
export const flag = () => integer({ mode: 'boolean' })
export const json = <T>() => text({ mode: 'json' }).$type<T>()
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'blob' })
/** An exact integer of any size, as decimal text. */
export const units = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'text',
  toDriver: value => value.toString(),
  fromDriver: BigInt,
})
