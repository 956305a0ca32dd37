/** The page at the root of the server. */
export const home = {
  title: 'Payments by Florin',
  what: 'This server takes payments for online shops.',
  buyers: 'Did you come here to pay? Open the link that the shop gave you.',
  developers: 'Do you run this server or a shop? The API reference shows how to create an order.',
  sandbox:
    'This is a sandbox: to try it, create an order and open its checkout page. You can pay it ' +
    'with test cards and test coins.',
  reference: 'API reference',
}
