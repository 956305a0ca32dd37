import florin from './0001_florin.sql' with { type: 'text' }
import productsRefunds from './0002_products_refunds.sql' with { type: 'text' }
import addressSources from './0003_address_sources.sql' with { type: 'text' }
import cryptoFirst from './0004_crypto_first.sql' with { type: 'text' }

/** In order, forward only, embedded in the executable. */
export const migrations = [
  { name: '0001_florin', sql: florin },
  { name: '0002_products_refunds', sql: productsRefunds },
  { name: '0003_address_sources', sql: addressSources },
  { name: '0004_crypto_first', sql: cryptoFirst },
]
