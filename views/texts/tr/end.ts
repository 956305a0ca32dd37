import type { Texts } from '../types.ts'

export const end: Texts['end'] = {
  paid: 'Ödendi',
  paidCoins: (amount, shop) => `${shop} mağazasına ${amount} ödediniz.`,
  paidWith: (shop, method) => `${shop} mağazasına ${method} ile ödeme yaptınız.`,
  paidShop: shop => `${shop} mağazasına ödeme yaptınız.`,
  thanks: 'Teşekkür ederiz!',
  refundedTitle: 'İade edildi',
  refunded: (amount, shop) => `${shop} ${amount} iade etti.`,
  expired: 'Bu siparişin süresi doldu',
  contactFirst: shop => `Tekrar ödeme yapmadan önce ${shop} ile iletişime geçin.`,
  notInTime: 'Zamanında ödenmedi.',
  maybePaid: 'Ödediyseniz tekrar sipariş vermeyin: ödemeniz yine de algılanır.',
  orderAgain: 'Ödemediyseniz mağazaya dönüp yeniden sipariş verin.',
  cancelled: 'Bu sipariş iptal edildi',
  notCharged: 'Sizden ödeme alınmadı.',
  failed: 'Ödeme başarısız oldu',
  declined: 'Ödeme sağlayıcısı ödemeyi reddetti. Mağazaya dönüp yeniden sipariş verin.',
  blocked: 'Ödeme mümkün değil',
  notAccepted: shop => `${shop} bu ödemeyi kabul edemiyor.`,
  haveQuestions: shop => `Sorularınız varsa ${shop} ile iletişime geçin.`,
}
