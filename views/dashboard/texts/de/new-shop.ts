import type { Texts } from '../types.ts'

export const newShop: Texts['newShop'] = {
  title: 'Shop anlegen',
  intro: 'Alles lässt sich später ändern.',
  email: 'E-Mail-Adresse des Shops',
  emailHint: 'Dorthin sendet Florin Nachrichten über Zahlungen. Käufer sehen sie nicht.',
  taken: 'Ein anderer Shop dieses Servers benutzt diese E-Mail-Adresse schon. Geben Sie eine andere ein.',
  submit: 'Shop anlegen',
}
