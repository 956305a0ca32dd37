import florin from './0001_florin.sql' with { type: 'text' }

/**
 * In order. A migration that has been released is never changed: its hash is stored in the databases that it
 * was applied to.
 */
export const migrations = [{ name: '0001_florin', sql: florin }]
