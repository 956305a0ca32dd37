import florin from './0001_florin.sql' with { type: 'text' }

/** In order, forward only, embedded in the executable. */
export const migrations = [{ name: '0001_florin', sql: florin }]
