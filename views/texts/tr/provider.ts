import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `${method} ile öde`,
  waiting: method => `${method} bekleniyor`,
  otherTab:
    'Ödemenizi diğer sekmede tamamlayın. Bu sayfa, ödemenizden birkaç dakika sonra kendiliğinden ' +
    'güncellenir. Ödedikten sonra bu sayfayı kapatabilirsiniz; siparişiniz yine de ödendi olarak ' +
    'işaretlenir.',
  openAgain: method => `${method} sitesini tekrar aç`,
  unconfirmed: method => `${method} ödemeyi henüz onaylamadı.`,
}
