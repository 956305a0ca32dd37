import type { Texts } from '../types.ts'

export const overview: Texts['overview'] = {
  title: 'Übersicht',
  shopId: 'Shop-ID',
  since: 'Seit',
  noShop: 'Sie haben noch keinen Shop.',
}
