import type { Texts } from '../types.ts'

export const receipt: Texts['receipt'] = {
  titleOf: shop => `${shop} की रसीद`,
  title: 'रसीद',
  show: 'रसीद देखें',
  paidOn: 'भुगतान की तारीख',
  order: 'ऑर्डर',
  item: 'आइटम',
  thisOrder: reference => `ऑर्डर ${reference}`,
  amount: 'राशि',
  total: 'कुल',
  refunded: date => `${date} को रिफ़ंड किया गया`,
  afterRefunds: 'रिफ़ंड के बाद कुल',
  payment: 'भुगतान',
  paidWith: 'भुगतान का तरीका',
  received: 'मिली राशि',
  rate: 'विनिमय दर',
  transaction: 'लेन-देन',
  byMerchant: shop => `${shop} ने दर्ज किया कि इस ऑर्डर का भुगतान हो गया है।`,
  print: 'प्रिंट करें या PDF के रूप में सहेजें',
  backToOrder: 'ऑर्डर पर वापस जाएँ',
  sandbox: 'परीक्षण परिवेश में परीक्षण भुगतान। कोई असली पैसा नहीं दिया गया।',
}
