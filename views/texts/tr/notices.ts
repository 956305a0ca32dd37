import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'Farklı bir kripto para ulaştı',
    underpaid: 'Ödemeniz bu siparişi karşılamıyor',
    late: 'Ödemeniz geç ulaştı',
    second_payment: 'İkinci bir ödeme ulaştı',
    order_closed: 'Kapalı bir sipariş için ödeme ulaştı',
    too_late: 'Ödemeniz çok geç ulaştı',
    overpaid: 'Gerekenden fazla ödediniz',
  },
  otherCoin: 'farklı bir kripto para',
  received: {
    wrong_asset: (coins, wanted) => `${coins} aldık, ancak bu ödeme için ${wanted} gerekiyordu.`,
    underpaid: (coins, value) => (value === null ? `${coins} aldık.` : `${value} değerinde ${coins} aldık.`),
    late: (coins, value) =>
      value === null
        ? `Ödeme süresi dolduktan sonra ${coins} aldık.`
        : `Ödeme süresi dolduktan sonra ${value} değerinde ` + `${coins} aldık.`,
    second_payment: coins => `${coins} aldık, ancak bu sipariş zaten ödenmişti.`,
    order_closed: coins => `${coins} aldık, ancak bu sipariş kapatılmıştı.`,
    too_late: coins => `Ödeme süresi dolduktan çok sonra ${coins} aldık.`,
    overpaid: (coins, due) => `${coins} aldık, ancak yalnızca ${due} gerekiyordu.`,
  },
  notLost: shop => `Ödemeniz kaydedildi ve ${shop} bilgilendirildi.`,
  contact: shop => `${shop} ile iletişime geçin`,
  contactForRefund: contact => `İade almak isterseniz veya sorularınız varsa ${contact}.`,
  refundAddress: network => `${network} üzerindeki iade adresi`,
  optional: '(isteğe bağlı)',
  saveAddress: 'İade adresini kaydet',
  wrongAddress: 'Yanlışsa mağazayla iletişime geçin.',
}
