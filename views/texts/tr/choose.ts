import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Ödeme yönteminizi seçin',
  byProvider: 'Kart, banka havalesi veya dijital cüzdan',
  crypto: 'Kripto',
  card: 'Kart',
  bank: 'Banka havalesi',
  through: provider => `${provider} aracılığıyla`,
  moreWays: 'Diğer ödeme yöntemleri',
  moreCoins: 'Diğer kripto paralar',
  filter: 'Ödeme yöntemi bul',
  noMatch: 'Eşleşen bir ödeme yöntemi yok.',
  usual: (fee, time) => `Ağ ücreti genellikle yaklaşık ${fee}, süre yaklaşık ${time}`,
  networks: count =>
    plural('tr', count, {
      one: `${count} ağ`,
      other: `${count} ağ`,
    }),
  payWith: method => `${method} ile öde`,
  continueTo: method => `${method} sitesine devam et`,
  keepPageOpen: method =>
    `${method} yeni bir sekmede açılır. Ödemenizin ne zaman ulaştığını görmek için bu sayfaya geri dönün.`,
  handledBy: company =>
    `Ödemeyi ${company} işler ve mağazaya kripto para olarak aktarır. Kimlik isteyebilir ve ` +
    'kendi ücretini ekleyebilir.',
  handledByNamed:
    'Ödemeyi adı geçen şirket işler ve mağazaya kripto para olarak aktarır. Kimlik isteyebilir ' +
    've kendi ücretini ekleyebilir.',
  back: 'Başlattığınız ödemeye dön',
  noMethod: 'Yöntem yok',
  nothing: 'Şu anda kullanılabilir bir ödeme yöntemi yok',
  providerAway: 'Ödeme sağlayıcısı yanıt vermiyor. Lütfen birkaç dakika sonra tekrar deneyin.',
  noneForAmount: 'Mağazanın ödeme yöntemlerinden hiçbiri bu tutar için kullanılamıyor.',
  openUntil: time => `Bu sipariş ${time} tarihine kadar açık kalır.`,
  cardsAway: 'Kart, banka ve dijital cüzdan ödemeleri şu anda kullanılamıyor.',
  tryInMinutes: 'Lütfen birkaç dakika sonra tekrar deneyin.',
  networksAway: networks => `Şu anda bağlantı kurulamıyor: ${networks}.`,
  otherOrLater: 'Başka bir ödeme yöntemi seçin veya birkaç dakika sonra tekrar deneyin.',
  unavailable: method => `${method} kullanılamıyor`,
  chooseOther: 'Sizden ödeme alınmadı. Başka bir yöntem seçin.',
  declined: method => `${method} ödemeyi reddetti`,
  tryAgainOrOther:
    'Ödeme gerçekleşmedi. Bankanız bir bloke gösteriyorsa bloke kendiliğinden kalkar. Tekrar deneyin ' +
    'veya başka bir yöntem seçin.',
}
