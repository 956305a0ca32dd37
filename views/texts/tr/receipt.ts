import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  titleOf: shop => `${shop} makbuzu`,
  title: 'Makbuz',
  show: 'Makbuzu görüntüle',
  paidOn: 'Ödeme tarihi',
  order: 'Sipariş',
  item: 'Ürün',
  thisOrder: reference => `Sipariş ${reference}`,
  amount: 'Tutar',
  total: 'Toplam',
  refunded: date => `${date} tarihinde iade edildi`,
  afterRefunds: 'İadelerden sonra toplam',
  payment: 'Ödeme',
  paidWith: 'Ödeme yöntemi',
  received: 'Alınan tutar',
  rate: 'Kur',
  transaction: 'İşlem',
  byMerchant: shop => `${shop} bu siparişi ödendi olarak işaretledi.`,
  print: 'Yazdır veya PDF olarak kaydet',
  backToOrder: 'Siparişe dön',
  sandbox: 'Deneme ortamında deneme ödemesi. Gerçek para ödenmedi.',
}
