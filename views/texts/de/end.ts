import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Bezahlt',
  paidCoins: (amount, shop) => `Sie haben ${amount} an ${shop} gezahlt.`,
  paidWith: (shop, method) => `Sie haben mit ${method} an ${shop} gezahlt.`,
  paidShop: shop => `Sie haben an ${shop} gezahlt.`,
  thanks: 'Vielen Dank!',
  refundedTitle: 'Erstattet',
  refunded: (amount, shop) => `${shop} hat ${amount} erstattet.`,
  expired: 'Diese Bestellung ist abgelaufen',
  contactFirst: shop => `Kontaktieren Sie ${shop}, bevor Sie erneut bezahlen.`,
  notInTime: 'Sie wurde nicht rechtzeitig bezahlt.',
  maybePaid: 'Wenn Sie bereits bezahlt haben, bestellen Sie nicht erneut: Ihre Zahlung wird noch erkannt.',
  orderAgain: 'Andernfalls kehren Sie zum Shop zurück und bestellen Sie erneut.',
  cancelled: 'Diese Bestellung wurde storniert',
  notCharged: 'Ihnen wurde nichts berechnet.',
  failed: 'Die Zahlung ist fehlgeschlagen',
  declined:
    'Der Zahlungsanbieter hat die Zahlung abgelehnt. Kehren Sie zum Shop zurück und bestellen Sie erneut.',
  blocked: 'Zahlung nicht möglich',
  notAccepted: shop => `${shop} kann diese Zahlung nicht annehmen.`,
  haveQuestions: shop => `Kontaktieren Sie ${shop}, wenn Sie Fragen haben.`,
}
