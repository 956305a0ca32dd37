import { databaseUrl } from '../../src/settings/database-url.ts'
import { openStorage } from '../../src/storage/postgres/open.ts'
import { storageContract } from '../storage/contract.ts'
import { newPostgresDatabase } from '../support/postgres-database.ts'

storageContract('PostgreSQL', async () => {
  const { url, drop } = await newPostgresDatabase()
  const storage = await openStorage(databaseUrl(url)!, 0)
  return {
    storage,
    async close() {
      await storage.close()
      await drop()
    },
  }
})
