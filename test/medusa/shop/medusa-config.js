// The settings of the shop, as a merchant writes them.
const { defineConfig } = require('@medusajs/framework/utils')
const { DATABASE_URL, FLORIN_URL, FLORIN_API_KEY, FLORIN_WEBHOOK_SECRET } = process.env

const florin = {
  resolve: 'medusa-payment-florin/providers/florin',
  id: 'florin',
  options: { url: FLORIN_URL, apiKey: FLORIN_API_KEY, webhookSecret: FLORIN_WEBHOOK_SECRET },
}

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    databaseDriverOptions: { ssl: false },
    http: { storeCors: '*', adminCors: '*', authCors: '*', jwtSecret: 'a test', cookieSecret: 'a test' },
  },
  admin: { disable: true },
  plugins: ['medusa-payment-florin'],
  modules: [{ resolve: '@medusajs/medusa/payment', options: { providers: [florin] } }],
})
