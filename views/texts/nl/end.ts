import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Betaald',
  paidCoins: (amount, shop) => `Je hebt ${amount} betaald aan ${shop}.`,
  paidWith: (shop, method) => `Je hebt ${shop} betaald met ${method}.`,
  paidShop: shop => `Je hebt ${shop} betaald.`,
  thanks: 'Bedankt!',
  refundedTitle: 'Terugbetaald',
  refunded: (amount, shop) => `${shop} heeft ${amount} terugbetaald.`,
  expired: 'Deze bestelling is verlopen',
  contactFirst: shop => `Neem contact op met ${shop} voordat je opnieuw betaalt.`,
  notInTime: 'Er is niet op tijd betaald.',
  maybePaid: 'Als je al hebt betaald, bestel dan niet opnieuw: je betaling wordt alsnog gevonden.',
  orderAgain: 'Ga anders terug naar de winkel en bestel opnieuw.',
  cancelled: 'Deze bestelling is geannuleerd',
  notCharged: 'Er is niets afgeschreven.',
  failed: 'De betaling is mislukt',
  declined: 'De betaalprovider heeft de betaling geweigerd. Ga terug naar de winkel en bestel opnieuw.',
  blocked: 'Betaling niet mogelijk',
  notAccepted: shop => `${shop} kan deze betaling niet accepteren.`,
  haveQuestions: shop => `Neem contact op met ${shop} als je vragen hebt.`,
}
