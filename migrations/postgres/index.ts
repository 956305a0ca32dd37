import type { Migration } from '../index.ts'
import florin from './0001_florin.sql' with { type: 'text' }

/** The same migrations, written for PostgreSQL. */
export const postgresMigrations: Migration[] = [{ name: '0001_florin', sql: florin }]
