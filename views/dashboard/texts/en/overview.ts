/** The first page after signing in. */
export const overview = {
  title: 'Overview',
  shopId: 'Shop ID',
  since: 'Since',
  noShop: 'You have no shop yet.',
}
