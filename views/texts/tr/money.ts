import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `Alınan: ${received} / ${total} · kalan: ${left}`,
  receivedAll: (received, total) => `Alınan: ${received} / ${total}`,
  awaiting: (amount, shop) =>
    `${amount} tutarının ${shop} tarafından kabul edilmesi bekleniyor. Şimdilik başka bir şey göndermeyin.`,
  awaitingUnknown: shop =>
    `Bir ödemenin ${shop} tarafından kabul edilmesi bekleniyor. Şimdilik başka bir şey göndermeyin.`,
  tooSmall: left =>
    `Kalan tutar (${left}) gönderilemeyecek kadar küçük. Mağazaya bildirildi; başka bir şey göndermeniz ` +
    'gerekmez.',
  others: 'Başlattığınız diğer ödemeler',
  continueWith: name => `${name} ile devam et`,
  part: received => `${received} alındı`,
  vanished: amount =>
    `${amount} tutarındaki ödemeniz artık ağda görünmüyor. Tekrar göndermeden önce ödemeyi cüzdanınızdan ` +
    'kontrol edin.',
  blind: (network, time) => `Şu anda ${network} ağına ulaşamıyoruz. Son kontrol: ${time}.`,
  blindAdvice:
    'Zaten ödediyseniz ödemeniz kaybolmadı. Tekrar ödemeyin: ağa ulaşır ulaşmaz ödemenizi bulacağız.',
}
