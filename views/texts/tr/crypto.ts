import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${network} üzerinde ${coin}`,
  payWith: coin => `${coin} ile öde`,
  waiting: 'Ödemeniz bekleniyor',
  timeLeft: 'Kalan süre:',
  payBefore: time => `Şu saatten önce ödeyin: ${time}`,
  detected: 'Ödeme algılandı',
  detectedWith: progress => `Ödeme algılandı: ${progress}`,
  confirmations: 'Onaylar',
  progress: (done, required) => `${required} onaydan ${done} tanesi alındı`,
  lastConfirmation: 'Son onay bekleniyor',
  closePage: 'Bu sayfayı kapatabilirsiniz; siparişiniz yine de ödendi olarak işaretlenir.',
  leftToPay: amount => `Ödenecek kalan tutar: ${amount}`,
  sendRest: received => `${received} aldık. Lütfen kalanı aynı adrese gönderin.`,
  dustTitle: 'Kalan tutar gönderilemeyecek kadar küçük',
  dust: (received, due) =>
    `${due} tutarının ${received} kadarını aldık ve mağazaya bildirildi. Başka bir şey göndermeniz ` +
    'gerekmez. Siparişiniz kısa süre içinde onaylanmazsa lütfen mağazayla iletişime geçin.',
  qrOfPayment: 'Ödemenin QR kodu',
  qrOfAddress: 'Adresin QR kodu',
  cannotScan: 'Cüzdanınız bu kodu tarayamıyor mu?',
  onlyAddress: 'Bu kod yalnızca adresi içerir.',
  showAddressOnly: 'Yalnızca adresi göster',
  includeAmount: 'Tutarı ekle',
  openWallet: 'Cüzdanda aç',
  sendTestCoins: 'Deneme parası gönder',
  sendOnly: (coin, network) => `Yalnızca ${network} ağında ${coin} gönderin.`,
  otherCoins: 'Başka paralar veya başka ağlardan gönderilen paralar bu siparişi ödemez ve kaybolabilir.',
  exactAmount: 'Tam olarak bu tutarı tek işlemde gönderin.',
  exactAmountReason:
    'Ödemenizi tutarından tanırız. Bu nedenle cüzdanınızın veya borsanızın ücretini bu tutardan ' +
    'düşmediğinden emin olun.',
  amountLeft: 'Kalan tutar',
  amountDue: 'Tam olarak gönderin',
  toAddress: network => `${network} ağındaki şu adrese`,
  rate: 'Kur',
  theAmount: 'tutarı',
  theAddress: 'adresi',
  nothingFound: network => `${network} üzerinde henüz ödeme algılanmadı.`,
  nothingMore: 'Başka bir şey ulaşmadı.',
  restMissing: 'Kalan tutar henüz ulaşmadı.',
  unconfirmed: 'Ödeme henüz onaylanmadı.',
  lapsed: 'Ödeme süresi doldu',
  lapsedShort: received =>
    `${received} aldık. Ödemeniz güvende. Lütfen tekrar ödemeden önce mağazayla iletişime geçin.`,
  partOf: (received, due) => `${received} / ${due}`,
  maybePaid:
    'Az önce ödediniz mi? Ödemeniz yine de algılanır; bu sayfayı kapatabilirsiniz. Ödemediyseniz ' +
    'yeni bir fiyat alın.',
  newPrice: coin => `Yeni ${coin} fiyatı al`,
  notCovered: 'Siparişi karşılayan bir ödeme algılanmadı.',
}
