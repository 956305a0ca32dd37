// Fills an empty shop: a region that pays through Florin, and a product with 1,000 in stock.
const { writeFileSync } = require('node:fs')
const flows = require('@medusajs/medusa/core-flows')

module.exports.default = async ({ container }) => {
  const run = async (flow, input) => (await flows[flow](container).run({ input })).result
  const [channel] = await run('createSalesChannelsWorkflow', { salesChannelsData: [{ name: 'Web' }] })
  const [open, secret] = await run('createApiKeysWorkflow', {
    api_keys: ['publishable', 'secret'].map(type => ({ title: type, type, created_by: 'test' })),
  })
  await run('linkSalesChannelsToApiKeyWorkflow', { id: open.id, add: [channel.id] })
  const [region] = await run('createRegionsWorkflow', {
    regions: [
      { name: 'US', currency_code: 'usd', countries: ['us'], payment_providers: ['pp_florin_florin'] },
    ],
  })
  const [location] = await run('createStockLocationsWorkflow', { locations: [{ name: 'Cellar' }] })
  await run('linkSalesChannelsToStockLocationWorkflow', { id: location.id, add: [channel.id] })
  const [inventory] = await run('createInventoryItemsWorkflow', {
    items: [{ sku: 'BLEND', requires_shipping: false }],
  })
  await run('createInventoryLevelsWorkflow', {
    inventory_levels: [{ inventory_item_id: inventory.id, location_id: location.id, stocked_quantity: 1000 }],
  })
  const [product] = await run('createProductsWorkflow', {
    products: [
      {
        title: 'House blend',
        status: 'published',
        options: [{ title: 'Size', values: ['250 g'] }],
        sales_channels: [{ id: channel.id }],
        variants: [
          {
            title: '250 g',
            options: { Size: '250 g' },
            prices: [{ amount: 12.5, currency_code: 'usd' }],
            inventory_items: [{ inventory_item_id: inventory.id, required_quantity: 1 }],
          },
        ],
      },
    ],
  })
  const seeded = {
    publishable: open.token,
    secret: secret.token,
    region: region.id,
    variant: product.variants[0].id,
    inventory: inventory.id,
    location: location.id,
  }
  writeFileSync(process.env.SEEDED, JSON.stringify(seeded))
}
